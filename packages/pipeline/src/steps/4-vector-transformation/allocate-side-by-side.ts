import type { Tasks } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { transpose } from "@stipple/numerics/sparse";
import type { AllocatedBlock, SpotBlock } from "./allocate-by-spot.ts";
import { allocateSquares } from "./allocate-squares.ts";
import { allocateSpots } from "./allocate-task.ts";
import { allocateCounts, type Allocation, type AllocationModel } from "./allocation.ts";

/** Approximate number of entries per block of spots. */
const BLOCK_ENTRIES = 1 << 18;
/** Number of entries above which threads are worth starting. */
const WORTH_THREADS = 1 << 20;

/**
 * Runs {@link allocateCounts} on threads, with bit-identical results if every cell has counts from only one spot, as on
 * a Visium slide. With bins, a cell has counts from many, so bins depend on each other: see {@link allocateSquares}.
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
  const { tasks, signal, progress, pause } = options;
  const { worthThreads = WORTH_THREADS, blockEntries = BLOCK_ENTRIES } = options;
  const { overlap, profile, k, membership } = model;
  if (counts.indices.length < worthThreads) {
    return allocateCounts(byGene, model, { progress, pause });
  }
  if (!sharesNoCell(overlap)) {
    return allocateSquares(counts, model, options.squares(), {
      tasks,
      signal,
      progress,
      giveBack: options.giveBack,
    });
  }
  const inOrder = genesAscend(counts) ? counts : transpose(byGene);
  const starts = blockStarts(inOrder, blockEntries);
  const cellsOf = (index: number): Uint32Array => {
    const [from, to] = [starts[index], starts[index + 1]];
    return overlap.indices.subarray(overlap.indptr[from], overlap.indptr[to]);
  };
  const inputs = {
    length: starts.length - 1,
    areOwn: true,
    at: (index: number): SpotBlock => {
      const [from, to] = [starts[index], starts[index + 1]];
      const cells = cellsOf(index);
      const sharing = someRows(overlap, from, to);
      return {
        counts: someRows(inOrder, from, to),
        // Every cell occurs in it once, so entry positions serve as cell numbers within the block.
        sharing: {
          ...sharing,
          nCols: cells.length,
          indices: Uint32Array.from(cells.keys()),
        },
        membership: rowsOf(membership, k, cells),
      };
    },
  };
  const blocks = await tasks.map(
    allocateSpots,
    { shared: { profile, k }, inputs },
    // The rest is for joining the cells.
    { signal, progress: (fraction) => progress(0.9 * fraction) },
  );
  await pause();
  return together(blocks, cellsOf, overlap.nCols, counts.nCols);
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

function genesAscend({ nRows, indptr, indices }: SparseMatrix): boolean {
  for (let row = 0; row < nRows; row++) {
    for (let e = indptr[row] + 1; e < indptr[row + 1]; e++) {
      if (indices[e] <= indices[e - 1]) return false;
    }
  }
  return true;
}

/** Start of each block of spots, followed by the end of the last one. */
function blockStarts({ nRows, indptr }: SparseMatrix, entries: number): number[] {
  const starts = [0];
  for (let row = 1; row < nRows; row++) {
    if (indptr[row + 1] - indptr[starts.at(-1)!] > entries) starts.push(row);
  }
  return [...starts, nRows];
}

function someRows(matrix: SparseMatrix, from: number, to: number): SparseMatrix {
  const [first, end] = [matrix.indptr[from], matrix.indptr[to]];
  return {
    nRows: to - from,
    nCols: matrix.nCols,
    indptr: matrix.indptr.slice(from, to + 1).map((at) => at - first),
    indices: matrix.indices.slice(first, end),
    data: matrix.data.slice(first, end),
  };
}

function rowsOf(data: Float32Array, nCols: number, rows: Uint32Array): Float32Array {
  const out = new Float32Array(rows.length * nCols);
  rows.forEach((row, i) => out.set(data.subarray(row * nCols, (row + 1) * nCols), i * nCols));
  return out;
}

/** Joins the cells of all blocks in order of cell number; cells without a spot get empty rows. */
function together(
  blocks: readonly AllocatedBlock[],
  cellsOf: (block: number) => Uint32Array,
  nCells: number,
  nGenes: number,
): Allocation {
  const indptr = new Uint32Array(nCells + 1);
  const unassigned = new Float64Array(nGenes);
  blocks.forEach((block, b) => {
    const ends = block.counts.indptr;
    cellsOf(b).forEach((cell, i) => (indptr[cell + 1] = ends[i + 1] - ends[i]));
    block.unassigned.forEach((count, gene) => (unassigned[gene] += count));
  });
  for (let cell = 0; cell < nCells; cell++) indptr[cell + 1] += indptr[cell];
  const indices = new Uint32Array(indptr[nCells]);
  const data = new Float32Array(indptr[nCells]);
  blocks.forEach(({ counts }, b) => {
    cellsOf(b).forEach((cell, i) => {
      const [first, end] = [counts.indptr[i], counts.indptr[i + 1]];
      indices.set(counts.indices.subarray(first, end), indptr[cell]);
      data.set(counts.data.subarray(first, end), indptr[cell]);
    });
  });
  return { counts: { nRows: nCells, nCols: nGenes, indptr, indices, data }, unassigned };
}
