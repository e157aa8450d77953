import type { Tasks } from "@stipple/tasks/task";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { allocateBlocks } from "./allocate-blocks.ts";
import { allocateCounts, type Allocation, type AllocationModel } from "./allocation.ts";

/** Approximate number of entries per block of spots. */
const BLOCK_ENTRIES = 1 << 18;
/** Number of entries above which threads are worth starting. */
const WORTH_THREADS = 1 << 20;

/**
 * Runs {@link allocateCounts} on threads, with identical results if every cell has counts from only one spot, as on a
 * Visium slide. With bins, a cell has counts from many, so bins depend on each other: they are allocated in squares of
 * tissue.
 */
export async function allocateSideBySide(
  counts: SparseMatrix,
  byGene: SparseMatrix,
  model: AllocationModel,
  options: {
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
  },
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
