import type { Tasks } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { pickRows } from "@stipple/numerics/dense";
import { release } from "@stipple/numerics/release";
import { chooseRows } from "@stipple/numerics/sparse";
import type { AllocatedBlock, SpotBlock } from "./allocate-by-spot.ts";
import { allocateBins } from "./allocate-task.ts";
import type { Allocation, AllocationModel } from "./allocation.ts";

/**
 * Runs {@link allocateCounts} on bins independently for each square of tissue, which allows using all threads and keeps
 * the data close together in memory. A cell on a border gets the sum of its counts in each square. Sums stay exact.
 */
export async function allocateSquares(
  counts: SparseMatrix,
  { overlap, membership, profile, k }: AllocationModel,
  /** The bins of each square, ascending; every bin is in exactly one. */
  squares: readonly (readonly number[])[],
  options: {
    tasks: Tasks;
    signal: AbortSignal;
    progress: (fraction: number) => void;
    /** Called once `counts` is no longer needed. */
    giveBack?: (() => void) | undefined;
  },
): Promise<Allocation> {
  const cellsOf = squares.map((bins) => cellsIn(overlap, bins));
  const inputs = {
    length: squares.length,
    areOwn: true,
    at: (index: number): SpotBlock => {
      const cells = cellsOf[index];
      const sharing = chooseRows(overlap, squares[index]);
      const place = new Map(Array.from(cells, (cell, i) => [cell, i]));
      return {
        counts: chooseRows(counts, squares[index]),
        sharing: {
          ...sharing,
          nCols: cells.length,
          indices: sharing.indices.map((cell) => place.get(cell)!),
        },
        membership: pickRows(membership, k, cells),
      };
    },
  };
  const { tasks, signal, progress } = options;
  const blocks = await tasks.map(
    allocateBins,
    { shared: { profile, k }, inputs },
    // The rest is for adding up the squares.
    { signal, progress: (fraction) => progress(0.8 * fraction) },
  );
  options.giveBack?.();
  const shape = { nRows: overlap.nCols, nCols: counts.nCols };
  return sumOf(blocks, cellsOf, shape, (fraction) => progress(0.8 + 0.2 * fraction));
}

/** The cells that the given bins capture, ascending. */
function cellsIn({ indptr, indices }: SparseMatrix, bins: readonly number[]): number[] {
  const cells = new Set<number>();
  for (const bin of bins) {
    for (let e = indptr[bin]; e < indptr[bin + 1]; e++) cells.add(indices[e]);
  }
  return [...cells].sort((a, b) => a - b);
}

/** A cell's counts in one square or in all of them. */
interface CellCounts {
  genes: Uint32Array;
  counts: Float32Array;
}

/** Joins all squares. Frees each square's memory once its cells are copied, so that the result is not held twice. */
function sumOf(
  blocks: readonly AllocatedBlock[],
  cellsOf: readonly (readonly number[])[],
  shape: { nRows: number; nCols: number },
  progress: (fraction: number) => void,
): Allocation {
  const unassigned = new Float64Array(shape.nCols);
  const squaresOf = new Uint8Array(shape.nRows);
  for (const cells of cellsOf) for (const cell of cells) squaresOf[cell]++;
  /** Cells on the border of squares. */
  const sums = new Map<number, CellCounts>();
  const indptr = new Uint32Array(shape.nRows + 1);
  blocks.forEach((block, b) => {
    cellsOf[b].forEach((cell, i) => {
      const own = rowOf(block.counts, i);
      indptr[cell + 1] = own.genes.length;
      if (squaresOf[cell] === 1) return;
      const other = sums.get(cell);
      const sum = other ? added(other, own) : own;
      sums.set(cell, sum);
      indptr[cell + 1] = sum.genes.length;
    });
    block.unassigned.forEach((count, gene) => (unassigned[gene] += count));
  });
  for (let cell = 0; cell < shape.nRows; cell++) indptr[cell + 1] += indptr[cell];
  const indices = new Uint32Array(indptr[shape.nRows]);
  const data = new Float32Array(indptr[shape.nRows]);
  const place = (cell: number, { genes, counts }: CellCounts): void => {
    indices.set(genes, indptr[cell]);
    data.set(counts, indptr[cell]);
  };
  for (const [cell, sum] of sums) place(cell, sum);
  blocks.forEach(({ counts }, b) => {
    cellsOf[b].forEach((cell, i) => {
      if (squaresOf[cell] === 1) place(cell, rowOf(counts, i));
    });
    release(counts.indices);
    release(counts.data);
    progress((b + 1) / blocks.length);
  });
  return { counts: { ...shape, indptr, indices, data }, unassigned };
}

function rowOf({ indptr, indices, data }: SparseMatrix, row: number): CellCounts {
  return {
    genes: indices.subarray(indptr[row], indptr[row + 1]),
    counts: data.subarray(indptr[row], indptr[row + 1]),
  };
}

/** Merges two rows with ascending genes. */
function added(a: CellCounts, b: CellCounts): CellCounts {
  const genes = new Uint32Array(a.genes.length + b.genes.length);
  const counts = new Float32Array(genes.length);
  let n = 0;
  for (let i = 0, j = 0; i < a.genes.length || j < b.genes.length; n++) {
    const ofA = i < a.genes.length ? a.genes[i] : Infinity;
    const ofB = j < b.genes.length ? b.genes[j] : Infinity;
    genes[n] = Math.min(ofA, ofB);
    if (ofA <= ofB) counts[n] += a.counts[i++];
    if (ofB <= ofA) counts[n] += b.counts[j++];
  }
  return { genes: genes.subarray(0, n), counts: counts.subarray(0, n) };
}
