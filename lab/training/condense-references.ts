import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AnnDataFile } from "@stipple/pipeline/internal/exports/h5ad/anndata-file";
import { H5adFile } from "@stipple/pipeline/internal/reference/h5ad-file";
import { hashFile } from "@stipple/pipeline/hash-file";
import { condenseReference, type ReferenceOrder } from "@stipple/pipeline/references";
import { DATA } from "../bench/judged-tissues/tissues.ts";
import { countsBehind } from "./counts-behind.ts";

/**
 * Condenses open measured cells to the references that are built in (packages/pipeline/references):
 *
 *     node lab/training/condense-references.ts
 *
 * Only what a license allows to pass on: of the open data at hand, STARmap's and the Xenium section's do not.
 */
const OUT = resolve(import.meta.dirname, "../../packages/pipeline/references");

/** An h5ad of log1p(UMIs per 10,000) in raw/X, with the UMIs of each cell in an obs column. */
interface OpenCells {
  file: string;
  labels: string;
  totals: string;
  about: ReferenceOrder;
}

const CELLS: readonly OpenCells[] = [
  {
    file: join(DATA, "scrna-pbmc-reference/pbmc68k.h5ad"),
    labels: "bulk_labels",
    totals: "n_counts",
    about: {
      name: "blood-pbmc68k",
      tissue: "blood",
      species: "human",
      source:
        "scanpy pbmc68k_reduced (github.com/scverse/scanpy), from Fresh 68k PBMCs (Donor A), 10x Genomics",
      citation: "Zheng et al. 2017, Nature Communications 8:14049",
      license: "BSD-3-Clause (scanpy)",
    },
  },
];

for (const cells of CELLS) {
  const folder = await mkdtemp(join(tmpdir(), "stipple-condense-"));
  try {
    const counts = join(folder, "counts.h5ad");
    await writeCounts(counts, cells);
    const out = join(OUT, `${cells.about.name}.h5ad`);
    const { sha256: sourceSha256 } = await hashFile(cells.file);
    const description = await condenseReference(
      counts,
      out,
      { ...cells.about, labelColumn: cells.labels, sourceSha256 },
      { signal: new AbortController().signal, now: new Date() },
    );
    const kept = { ...description, ...(await hashFile(out)) };
    await writeFile(join(OUT, `${cells.about.name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
    console.log(`${kept.name}: ${kept.cells} cells, ${kept.genes} genes, ${kept.size} bytes`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the counts behind log-normalized values with their labels. */
async function writeCounts(path: string, { file, labels, totals }: OpenCells): Promise<void> {
  const source = await H5adFile.open(file);
  try {
    const matrix = source.matrix("raw/X")!;
    const { nCells, nGenes } = matrix;
    const values = new Float32Array(nCells * nGenes);
    await source.visit(matrix, (cell, gene, value) => (values[cell * nGenes + gene] = value));
    const ofCells = source.text("obs", labels)!;
    const umis = source.text("obs", totals)!.map(Number);
    const h5ad = await AnnDataFile.create(path);
    h5ad.dataframe("obs", [...ofCells.keys()].map(String), [labels]);
    h5ad.strings(`obs/${labels}`, ofCells);
    h5ad.dataframe("var", source.index("raw/var"), []);
    h5ad.compressedArray("X", countsBehind({ values, nGenes, totals: umis }), [nCells, nGenes]);
    await h5ad.finish();
  } finally {
    source.close();
  }
}
