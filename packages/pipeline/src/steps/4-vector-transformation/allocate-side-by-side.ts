import { pickRows } from "@stipple/numerics/dense";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { release } from "@stipple/numerics/release";
import { chooseRows, transpose } from "@stipple/numerics/sparse";
import { rowsOf, type SparseRow } from "@stipple/numerics/sparse-rows";
import { defineTask, type Tasks } from "@stipple/tasks/task";
import { allocateCounts, type Allocation, type AllocationModel } from "./allocation.ts";
import { capturedBy } from "./part-of-tissue.ts";

/** Approximate number of entries per block of spots. */
const BLOCK_ENTRIES = 1 << 18;
/** Number of entries above which threads are worth starting. */
const WORTH_THREADS = 1 << 20;

interface AllocationOptions {
  tasks: Tasks;
  signal: AbortSignal;
  progress: (fraction: number) => void;
  pause: () => Promise<void>;
  /** The bins in each square of tissue. */
  squares: () => number[][];
  /** Called once `counts` is no longer needed, if that is before the end. */
  giveBack?: () => void;
  /** Default to {@link WORTH_THREADS} and {@link BLOCK_ENTRIES}. */
  worthThreads?: number;
  blockEntries?: number;
}

/**
 * Runs {@link allocateCounts} on threads, with identical results if every cell has counts from only one spot, as on a
 * Visium slide. With bins, a cell has counts from many, so bins depend on each other: they are allocated in squares of
 * tissue.
 */
export async function allocateSideBySide(
  counts: SparseMatrix,
  byGene: SparseMatrix,
  model: AllocationModel,
  options: AllocationOptions,
): Promise<Allocation> {
  const { progress, pause, squares } = options;
  const { worthThreads = WORTH_THREADS, blockEntries = BLOCK_ENTRIES } = options;
  if (counts.indices.length < worthThreads) {
    return allocateCounts(byGene, model, { progress, pause });
  }
  const blocks = sharesNoCell(model.overlap) ? rowBlocks(counts, blockEntries) : squares();
  return allocateBlocks(counts, model, blocks, options);
}

/** Whether every cell has counts from at most one spot. */
function sharesNoCell({ nCols, indices }: SparseMatrix): boolean {
  const seen = new Uint8Array(nCols);
  for (const cell of indices) {
    if (seen[cell] === 1) return false;
    seen[cell] = 1;
  }
  return true;
}

/** Consecutive rows with about `entries` entries per block. */
function rowBlocks({ nRows, indptr }: SparseMatrix, entries: number): number[][] {
  const blocks: number[][] = [];
  let start = 0;
  for (let row = 0; row < nRows; row++) {
    if (row === 0 || indptr[row + 1] - indptr[start] > entries) {
      start = row;
      blocks.push([]);
    }
    blocks.at(-1)!.push(row);
  }
  return blocks;
}

/**
 * Runs {@link allocateCounts} independently for each block of spots or bins, which allows using all threads and keeps
 * the data close together in memory. A cell on a border gets the sum of its counts in each block. Sums stay exact.
 */
async function allocateBlocks(
  counts: SparseMatrix,
  { overlap, membership, profile, k }: AllocationModel,
  /** The spots of each block, ascending; every spot is in exactly one. */
  blocks: readonly (readonly number[])[],
  { tasks, signal, progress, giveBack }: AllocationOptions,
): Promise<Allocation> {
  const cellsOf: number[][] = [];
  const inputs = {
    length: blocks.length,
    areOwn: true,
    at: (index: number) => {
      const { captured, cells } = capturedBy(overlap, blocks[index]);
      cellsOf[index] = cells;
      return {
        counts: chooseRows(counts, blocks[index]),
        overlap: captured,
        membership: pickRows(membership, k, cells),
      };
    },
  };
  const allocated = await tasks.map(
    allocateBlock,
    { shared: { profile, k }, inputs },
    // The rest is for adding up the blocks.
    { signal, progress: (fraction) => progress(0.8 * fraction) },
  );
  giveBack?.();
  const shape = { nRows: overlap.nCols, nCols: counts.nCols };
  return sumOf(allocated, cellsOf, shape, (fraction) => progress(0.8 + 0.2 * fraction));
}

/** Runs in a worker thread: {@link allocateCounts} on a block of spots and the cells that share their counts. */
export function allocateOne(
  shared: Pick<AllocationModel, "profile" | "k">,
  { counts, ...own }: Pick<AllocationModel, "overlap" | "membership"> & { counts: SparseMatrix },
): Promise<Allocation> {
  return allocateCounts(transpose(counts), { ...shared, ...own });
}

/** Allocates the counts of a block of spots or bins to the cells that share them. */
const allocateBlock = defineTask(import.meta.url, allocateOne);

/** Joins all blocks. Frees each block's memory once its cells are copied, so that the result is not held twice. */
function sumOf(
  blocks: readonly Allocation[],
  cellsOf: readonly (readonly number[])[],
  shape: { nRows: number; nCols: number },
  progress: (fraction: number) => void,
): Allocation {
  const unassigned = new Float64Array(shape.nCols);
  const blocksOf = new Uint8Array(shape.nRows);
  for (const cells of cellsOf) for (const cell of cells) blocksOf[cell]++;
  /** Cells on the border of blocks. */
  const sums = new Map<number, SparseRow>();
  const indptr = new Uint32Array(shape.nRows + 1);
  blocks.forEach((block, b) => {
    const rows = rowsOf(block.counts);
    cellsOf[b].forEach((cell, i) => {
      const own = rows.row(i);
      indptr[cell + 1] = own.indices.length;
      if (blocksOf[cell] === 1) return;
      const other = sums.get(cell);
      const sum = other ? added(other, own) : own;
      sums.set(cell, sum);
      indptr[cell + 1] = sum.indices.length;
    });
    block.unassigned.forEach((count, gene) => (unassigned[gene] += count));
  });
  for (let cell = 0; cell < shape.nRows; cell++) indptr[cell + 1] += indptr[cell];
  const indices = new Uint32Array(indptr[shape.nRows]);
  const data = new Float32Array(indptr[shape.nRows]);
  const place = (cell: number, own: SparseRow): void => {
    indices.set(own.indices, indptr[cell]);
    data.set(own.data, indptr[cell]);
  };
  for (const [cell, sum] of sums) place(cell, sum);
  blocks.forEach(({ counts }, b) => {
    const rows = rowsOf(counts);
    cellsOf[b].forEach((cell, i) => {
      if (blocksOf[cell] === 1) place(cell, rows.row(i));
    });
    release(counts.indices);
    release(counts.data);
    progress((b + 1) / blocks.length);
  });
  return { counts: { ...shape, indptr, indices, data }, unassigned };
}

/** Merges two rows with ascending genes. */
function added(a: SparseRow, b: SparseRow): SparseRow {
  const genes = new Uint32Array(a.indices.length + b.indices.length);
  const counts = new Float32Array(genes.length);
  let n = 0;
  for (let i = 0, j = 0; i < a.indices.length || j < b.indices.length; n++) {
    const ofA = i < a.indices.length ? a.indices[i] : Infinity;
    const ofB = j < b.indices.length ? b.indices[j] : Infinity;
    genes[n] = Math.min(ofA, ofB);
    if (ofA <= ofB) counts[n] += a.data[i++];
    if (ofB <= ofA) counts[n] += b.data[j++];
  }
  return { indices: genes.subarray(0, n), data: counts.subarray(0, n) };
}
