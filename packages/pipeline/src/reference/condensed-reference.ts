import { referenceDescription, type ReferenceDescription } from "@stipple/contract/kept-reference";
import { writeFrame } from "../exports/anndata/target.ts";
import { AnnDataFile } from "../exports/h5ad/anndata-file.ts";
import type { H5adFile } from "./h5ad-file.ts";

/** Where the description is; a file without it is no condensed reference. */
const DESCRIPTION = "uns/stipple_reference";
const SHARE = "varm/share";
const SPREAD = "varm/spread";

/** A reference as a few profiles for each label: 0.1 MB for a panel, 1 MB for 20 labels of a whole transcriptome. */
export interface CondensedReference {
  description: ReferenceDescription;
  /** Number of cells of each label. */
  cells: Int32Array;
  /** Names of the genes by each column that has any; the first is the index. */
  genes: { column: string; names: string[] }[];
  /** Labels × genes: mean of log1p(UMIs per 10,000), for programs that read h5ad. */
  log: Float32Array;
  /** Genes × labels: mean share of a cell's UMIs, of all genes that the source has. */
  share: Float32Array;
  /** Genes × labels: standard deviation of log1p(UMIs per 10,000) over the label's cells. */
  spread: Float32Array;
}

/** Writes a condensed reference as an h5ad with a row for each label, which anndata reads too. */
export async function writeCondensed(path: string, reference: CondensedReference): Promise<void> {
  const { description, cells, genes, log, share, spread } = reference;
  const { labels } = description;
  const [index, ...others] = genes;
  const nGenes = index.names.length;
  const file = await AnnDataFile.create(path);
  try {
    const codes = Int32Array.from(labels.keys());
    writeFrame(file, "obs", labels, [
      ["cell_type", { codes, categories: labels }],
      ["cells", cells],
    ]);
    writeFrame(
      file,
      "var",
      index.names,
      others.map(({ column, names }) => [column, names]),
    );
    file.group("varm");
    file.group("uns");
    file.compressedArray("X", rounded(log), [labels.length, nGenes]);
    file.compressedArray(SHARE, rounded(share), [nGenes, labels.length]);
    file.compressedArray(SPREAD, rounded(spread), [nGenes, labels.length]);
    file.string(DESCRIPTION, JSON.stringify(description));
  } catch (error) {
    await file.abandon(error);
  }
  await file.finish();
}

/** The description of a condensed reference; null if the file is another h5ad. */
export function describedIn(h5ad: H5adFile): ReferenceDescription | null {
  const text = h5ad.single(DESCRIPTION);
  if (text === null) return null;
  const parsed = referenceDescription.safeParse(JSON.parse(text));
  return parsed.success
    ? parsed.data
    : h5ad.fail("was condensed by another version of Stipple: condense it again from its source");
}

/** The labels' shares in a condensed reference, genes × labels. */
export async function readCondensed(
  h5ad: H5adFile,
  { labels }: ReferenceDescription,
): Promise<Float32Array> {
  const nGenes = h5ad.index("var").length;
  const matrix = h5ad.matrix(SHARE);
  if (matrix?.nCells !== nGenes || matrix.nGenes !== labels.length) {
    return h5ad.damaged(`${SHARE} does not match the labels`);
  }
  const shares = new Float32Array(nGenes * labels.length);
  await h5ad.visit(matrix, (gene, label, value) => (shares[gene * labels.length + label] = value));
  return shares;
}

/** Rounds to 8 significant bits (0.4%), far below the differences between labels: the rest would not compress. */
function rounded(values: Float32Array): Float32Array {
  const out = Float32Array.from(values);
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] + 0x8000) & 0xffff0000;
  return out;
}
