import { InputError } from "../../errors.ts";
import type { CountMatrix, Genes } from "./count-matrix.ts";

/** The counts of one genome of a sample, from its own group or folder. */
export interface GenomeCounts {
  /** Name of the group or folder: "mm10". */
  genome: string;
  counts: CountMatrix;
}

/** Which genomes, in which file, for messages. */
interface Joined {
  file: string;
  genomes: readonly string[];
}

/**
 * One matrix of the genes of all genomes, in the order given, for spots that all of them list. Throws {@link
 * InputError} if two of them have a gene in common, because then they are samples rather than genomes. O(counts).
 */
export function joinGenomes(
  parts: readonly GenomeCounts[],
  file: string,
  warn?: (message: string) => void,
): CountMatrix {
  const [{ counts: first }] = parts as [GenomeCounts, ...GenomeCounts[]];
  if (parts.length === 1) return first;
  const genes = joinGenes(parts, file);
  const shown = parts.map(({ genome, counts }) => `${genome}: ${counts.genes.id.length} genes`);
  warn?.(
    `${file} holds ${parts.length} genomes (${shown.join(", ")}); the genes of all were read.`,
  );
  const nRows = first.barcode.length;
  const size = parts.reduce((sum, { counts }) => sum + counts.counts.data.length, 0);
  const [indptr, indices] = [new Uint32Array(nRows + 1), new Uint32Array(size)];
  const data = new Float32Array(size);
  const rowsOf = parts.map(({ counts }) => new Map(counts.barcode.map((name, row) => [name, row])));
  let at = 0;
  for (let row = 0; row < nRows; row++) {
    let nCols = 0;
    parts.forEach(({ counts: { counts: part } }, p) => {
      const own = rowsOf[p].get(first.barcode[row])!;
      for (let k = part.indptr[own]; k < part.indptr[own + 1]; k++) {
        indices[at] = nCols + part.indices[k];
        data[at++] = part.data[k]!;
      }
      nCols += part.nCols;
    });
    indptr[row + 1] = at;
  }
  const counts = { nRows, nCols: genes.id.length, indptr, indices, data };
  return { barcode: first.barcode, genes, counts };
}

function joinGenes(parts: readonly GenomeCounts[], file: string): Genes {
  const genes: Genes = { id: [], symbol: [], genome: [], geneOf: new Int32Array(0), leftOut: {} };
  const seen = new Map<string, string>();
  const geneOf: number[] = [];
  for (const { genome, counts } of parts) {
    const { genes: own } = counts;
    for (const id of own.id) {
      const other = seen.get(id);
      if (other !== undefined && other !== genome) {
        throw new InputError(
          `${file} holds several matrices (${other}, ${genome}) with the same genes (such as ${id}), so they are samples rather than genomes: use the matrix of one sample.`,
        );
      }
      seen.set(id, genome);
    }
    for (const gene of own.geneOf) geneOf.push(gene < 0 ? -1 : genes.id.length + gene);
    own.id.forEach((id, i) => {
      genes.id.push(id);
      genes.symbol.push(own.symbol[i]);
      genes.genome!.push(own.genome?.[i] ?? genome);
    });
    for (const [type, n] of Object.entries(own.leftOut)) {
      genes.leftOut[type] = (genes.leftOut[type] ?? 0) + n;
    }
  }
  return { ...genes, geneOf: Int32Array.from(geneOf) };
}

/**
 * Which barcodes of each further genome are wanted: those that the first genome's answer wants. Throws {@link
 * InputError} if genomes list different barcodes, because then counts are missing.
 */
export function keepAlike(
  keep: (barcodes: string[]) => Uint8Array,
  { file, genomes }: Joined,
): (barcodes: string[]) => Uint8Array {
  let kept: Map<string, number> | null = null;
  return (barcodes) => {
    if (kept === null) {
      const answer = keep(barcodes);
      kept = new Map(barcodes.map((barcode, i) => [barcode, answer[i]]));
      return answer;
    }
    const known = kept;
    const other = barcodes.find((barcode) => !known.has(barcode));
    if (other !== undefined || barcodes.length !== known.size) {
      throw new InputError(
        `${file} holds ${genomes.length} genomes (${genomes.join(", ")}) with different barcodes (${known.size} and ${barcodes.length}), so counts of some spots are missing: use the raw matrix, which lists every barcode for each genome, or a matrix of Cell Ranger 3 or later.`,
      );
    }
    return Uint8Array.from(barcodes, (barcode) => known.get(barcode)!);
  };
}
