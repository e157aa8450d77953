import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { inStretches } from "@stipple/numerics/in-stretches";
import { rangesWithin } from "@stipple/numerics/ranges";
import { release } from "@stipple/numerics/release";
import { columnStarts } from "@stipple/numerics/sparse";

/**
 * Files of the gene-major copy of the allocated counts: entries of gene g are offsets[g] ≤ k < offsets[g + 1].
 */
export const GENE_COUNTS = {
  offsets: "gene-counts.offsets.u32",
  cells: "gene-counts.cells.u32",
  values: "gene-counts.values.f32",
} as const;

/** Entries transposed at a time: bounds memory at about 0.5 GB for any number of cells. */
const BATCH_ENTRIES = 1 << 25;

/**
 * Writes cells × genes counts gene by gene, so that one gene can be read without touching the others. O(entries
 * + batches · nCells) time, O(BATCH_ENTRIES) memory in addition to the matrix.
 */
export async function writeGeneMajorCounts(folder: string, counts: SparseMatrix): Promise<void> {
  const { nRows, indptr } = counts;
  const offsets = columnStarts(counts);
  await using cellsFile = await open(join(folder, GENE_COUNTS.cells), "w");
  await using valuesFile = await open(join(folder, GENE_COUNTS.values), "w");
  await using offsetsFile = await open(join(folder, GENE_COUNTS.offsets), "w");
  await writeAll(offsetsFile, offsets);
  // Genes ascend within a row, so each row is read only once in total, a batch of genes at a time.
  const cursor = indptr.slice(0, nRows);
  for (const { from: first, to: last } of rangesWithin(offsets, BATCH_ENTRIES)) {
    const base = offsets[first];
    const batch: Batch = {
      cells: new Uint32Array(offsets[last] - base),
      values: new Float32Array(offsets[last] - base),
      next: offsets.subarray(first, last).map((at) => at - base),
      first,
      last,
    };
    inStretches(nRows, (from, to) => turnCells(from, to, counts, cursor, batch));
    await Promise.all([writeAll(cellsFile, batch.cells), writeAll(valuesFile, batch.values)]);
    release(batch.cells);
    release(batch.values);
  }
}

/** Genes that are transposed together, and the position of the next entry of each. */
interface Batch {
  cells: Uint32Array<ArrayBuffer>;
  values: Float32Array<ArrayBuffer>;
  next: Uint32Array;
  first: number;
  last: number;
}

/** Moves the batch's genes for some cells; `cursor`: each cell's first entry that has not been moved yet. */
function turnCells(
  from: number,
  to: number,
  { indptr, indices, data }: SparseMatrix,
  cursor: Uint32Array,
  { cells, values, next, first, last }: Batch,
): void {
  for (let cell = from; cell < to; cell++) {
    let k = cursor[cell];
    for (const end = indptr[cell + 1]; k < end && indices[k] < last; k++) {
      const at = next[indices[k] - first]++;
      cells[at] = cell;
      values[at] = data[k];
    }
    cursor[cell] = k;
  }
}

async function writeAll(file: FileHandle, array: Uint32Array | Float32Array): Promise<void> {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let at = 0; at < bytes.length;) {
    const size = Math.min(bytes.length - at, 1 << 28);
    at += (await file.write(bytes, at, size)).bytesWritten;
  }
}

/** One gene's allocated counts: the cells with counts, ascending, and their counts. */
export interface GeneEntries {
  cells: Uint32Array;
  values: Float32Array;
}

/** An opened copy of the files from {@link writeGeneMajorCounts}. Reads block the calling thread. */
export interface GeneMajorCounts {
  /** Memory used, bytes. */
  bytes: number;
  /** Two reads, O(entries of the gene). */
  entries(gene: number): GeneEntries;
  /** All genes in order, in large reads. The arrays are valid until the next gene is requested. */
  scan(): Generator<GeneEntries & { gene: number }>;
}

/** Entries per read while scanning: 4 MB per file. */
const SCAN_ENTRIES = 1 << 20;

/** Opens the files that {@link writeGeneMajorCounts} wrote in `folder`. Reading a file that was cut short throws. */
export function openGeneMajorCounts(folder: string): GeneMajorCounts {
  const offsetBytes = readFileSync(join(folder, GENE_COUNTS.offsets));
  const offsets = new Uint32Array(offsetBytes.length / 4);
  new Uint8Array(offsets.buffer).set(offsetBytes);
  const nGenes = offsets.length - 1;
  const cellsFile = join(folder, GENE_COUNTS.cells);
  const valuesFile = join(folder, GENE_COUNTS.values);

  function entries(gene: number): GeneEntries {
    const length = offsets[gene + 1] - offsets[gene];
    const found = { cells: new Uint32Array(length), values: new Float32Array(length) };
    withFile(cellsFile, (file) => readAt(file, found.cells, offsets[gene]));
    withFile(valuesFile, (file) => readAt(file, found.values, offsets[gene]));
    return found;
  }

  function* scan(): Generator<GeneEntries & { gene: number }> {
    let longest = SCAN_ENTRIES;
    for (let gene = 0; gene < nGenes; gene++)
      longest = Math.max(longest, offsets[gene + 1] - offsets[gene]);
    const cells = new Uint32Array(longest);
    const values = new Float32Array(longest);
    const open = [openSync(cellsFile, "r"), openSync(valuesFile, "r")];
    try {
      for (const { from: first, to: last } of rangesWithin(offsets, longest)) {
        const base = offsets[first];
        readAt(open[0], cells.subarray(0, offsets[last] - base), base);
        readAt(open[1], values.subarray(0, offsets[last] - base), base);
        for (let gene = first; gene < last; gene++) {
          const [from, to] = [offsets[gene] - base, offsets[gene + 1] - base];
          yield { gene, cells: cells.subarray(from, to), values: values.subarray(from, to) };
        }
      }
    } finally {
      open.forEach(closeSync);
    }
  }

  return { bytes: offsets.byteLength, entries, scan };
}

function withFile(path: string, read: (file: number) => void): void {
  const file = openSync(path, "r");
  try {
    read(file);
  } finally {
    closeSync(file);
  }
}

/** Fills an array of 4-byte numbers from a file, starting at entry `first`. */
function readAt(file: number, array: Uint32Array | Float32Array, first: number): void {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let at = 0; at < bytes.length;) {
    const want = Math.min(bytes.length - at, 1 << 28);
    const got = readSync(file, bytes, at, want, 4 * first + at);
    if (got === 0) throw new Error("The counts by gene end early");
    at += got;
  }
}
