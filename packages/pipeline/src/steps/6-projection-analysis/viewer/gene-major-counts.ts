import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { SparseMatrix } from "../../../fields.ts";

/** Files of the gene-major copy of the allocated counts: entries of gene g are offsets[g] ≤ k < offsets[g + 1]. */
export const GENE_COUNTS = {
  offsets: "gene-counts.offsets.u32",
  cells: "gene-counts.cells.u32",
  values: "gene-counts.values.f32",
} as const;

/** Entries turned over at a time: bounds memory at about 0.5 GB for any number of cells. */
const BATCH_ENTRIES = 1 << 25;

/**
 * Writes cells × genes counts gene by gene, so that one gene is read without touching the others.
 * O(entries + batches · nCells) time, O(BATCH_ENTRIES) memory beside the matrix.
 */
export async function writeGeneMajorCounts(folder: string, counts: SparseMatrix): Promise<void> {
  const { nRows, nCols, indptr, indices, data } = counts;
  const offsets = new Uint32Array(nCols + 1);
  for (const gene of indices) offsets[gene + 1] += 1;
  for (let gene = 0; gene < nCols; gene++) offsets[gene + 1] += offsets[gene];
  await using cellsFile = await open(join(folder, GENE_COUNTS.cells), "w");
  await using valuesFile = await open(join(folder, GENE_COUNTS.values), "w");
  await using offsetsFile = await open(join(folder, GENE_COUNTS.offsets), "w");
  await writeAll(offsetsFile, offsets);
  // Genes ascend within a row, so each row is read once in all, a batch of genes at a time.
  const cursor = indptr.slice(0, nRows);
  for (let first = 0; first < nCols;) {
    let last = first + 1;
    while (last < nCols && offsets[last + 1] - offsets[first] <= BATCH_ENTRIES) last++;
    const base = offsets[first];
    const cells = new Uint32Array(offsets[last] - base);
    const values = new Float32Array(offsets[last] - base);
    const next = offsets.slice(first, last);
    for (let cell = 0; cell < nRows; cell++) {
      let k = cursor[cell];
      for (; k < indptr[cell + 1] && indices[k] < last; k++) {
        const at = next[indices[k] - first]++ - base;
        cells[at] = cell;
        values[at] = data[k];
      }
      cursor[cell] = k;
    }
    await writeAll(cellsFile, cells);
    await writeAll(valuesFile, values);
    first = last;
  }
}

async function writeAll(file: FileHandle, array: Uint32Array | Float32Array): Promise<void> {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let at = 0; at < bytes.length;) {
    const size = Math.min(bytes.length - at, 1 << 28);
    at += (await file.write(bytes, at, size)).bytesWritten;
  }
}

/** One gene over all cells. Three small reads; O(entries of the gene + nCells). */
export async function readGeneCounts(
  folder: string,
  gene: number,
  nCells: number,
): Promise<Float32Array> {
  const range = new Uint32Array(2);
  await readAt(join(folder, GENE_COUNTS.offsets), range, 4 * gene);
  const length = range[1] - range[0];
  const cells = new Uint32Array(length);
  const values = new Float32Array(length);
  await readAt(join(folder, GENE_COUNTS.cells), cells, 4 * range[0]);
  await readAt(join(folder, GENE_COUNTS.values), values, 4 * range[0]);
  const column = new Float32Array(nCells);
  for (let k = 0; k < length; k++) column[cells[k]] = values[k];
  return column;
}

async function readAt(
  path: string,
  array: Uint32Array | Float32Array,
  position: number,
): Promise<void> {
  const bytes = new Uint8Array(array.buffer);
  await using file = await open(path, "r");
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, position + at);
    if (bytesRead === 0) throw new Error(`${path} ends early`);
    at += bytesRead;
  }
}
