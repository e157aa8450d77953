import type { Tasks } from "@stipple/tasks/task";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { pickRows } from "@stipple/numerics/dense";
import { release } from "@stipple/numerics/release";
import { chooseRows } from "@stipple/numerics/sparse";
import { allocateBlock } from "./allocate-block.ts";
import type { Allocation, AllocationModel } from "./allocation.ts";

/** Some spots or bins and the cells that share their counts, numbered within the block. */
export interface SpotBlock {
  /** nSpots × nGenes. */
  counts: SparseMatrix;
  /** nSpots × nCells. */
  sharing: SparseMatrix;
  /** M for these cells, nCells × k. */
  membership: Float32Array;
}

/**
 * Runs {@link allocateCounts} independently for each block of spots or bins, which allows using all threads and keeps
 * the data close together in memory. A cell on a border gets the sum of its counts in each block. Sums stay exact.
 */
export async function allocateBlocks(
  counts: SparseMatrix,
  { overlap, membership, profile, k }: AllocationModel,
  /** The spots of each block, ascending; every spot is in exactly one. */
  blocks: readonly (readonly number[])[],
  options: {
    tasks: Tasks;
    signal: AbortSignal;
    progress: (fraction: number) => void;
    /** Called once `counts` is no longer needed. */
    giveBack?: (() => void) | undefined;
  },
): Promise<Allocation> {
  const cellsOf = blocks.map((spots) => cellsIn(overlap, spots));
  const inputs = {
    length: blocks.length,
    areOwn: true,
    at: (index: number): SpotBlock => {
      const cells = cellsOf[index];
      const sharing = chooseRows(overlap, blocks[index]);
      const place = new Map(Array.from(cells, (cell, i) => [cell, i]));
      return {
        counts: chooseRows(counts, blocks[index]),
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
  const allocated = await tasks.map(
    allocateBlock,
    { shared: { profile, k }, inputs },
    // The rest is for adding up the blocks.
    { signal, progress: (fraction) => progress(0.8 * fraction) },
  );
  options.giveBack?.();
  const shape = { nRows: overlap.nCols, nCols: counts.nCols };
  return sumOf(allocated, cellsOf, shape, (fraction) => progress(0.8 + 0.2 * fraction));
}

/** The cells that share the counts of the given spots, ascending. */
function cellsIn({ indptr, indices }: SparseMatrix, spots: readonly number[]): number[] {
  const cells = new Set<number>();
  for (const spot of spots) {
    for (let e = indptr[spot]; e < indptr[spot + 1]; e++) cells.add(indices[e]);
  }
  return [...cells].sort((a, b) => a - b);
}

/** A cell's counts in one block or in all of them. */
interface CellCounts {
  genes: Uint32Array;
  counts: Float32Array;
}

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
  const sums = new Map<number, CellCounts>();
  const indptr = new Uint32Array(shape.nRows + 1);
  blocks.forEach((block, b) => {
    cellsOf[b].forEach((cell, i) => {
      const own = rowOf(block.counts, i);
      indptr[cell + 1] = own.genes.length;
      if (blocksOf[cell] === 1) return;
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
      if (blocksOf[cell] === 1) place(cell, rowOf(counts, i));
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
