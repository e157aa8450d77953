import type { Tasks } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "../../fields.ts";
import { pickRows } from "../../numerics/dense.ts";
import { chooseRows } from "../../numerics/sparse.ts";
import type { AllocatedBlock, SpotBlock } from "./allocate-by-spot.ts";
import { allocateBins } from "./allocate-task.ts";
import type { Allocation, AllocationModel } from "./allocation.ts";

/**
 * {@link allocateCounts} of bins, square by square of tissue, each by itself: on all threads, and with all that is needed
 * close together in memory. A cell on the border of squares gets the sum of what it gets in each. Sums stay exact.
 */
export async function allocateSquares(
  counts: SparseMatrix,
  { overlap, membership, profile, k }: AllocationModel,
  /** The bins of each square, ascending; every bin is in one. */
  squares: readonly (readonly number[])[],
  options: { tasks: Tasks; signal: AbortSignal; progress: (fraction: number) => void },
): Promise<Allocation> {
  const cellsOf = squares.map((bins) => cellsIn(overlap, bins));
  const inputs = {
    length: squares.length,
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
    // Adding the squares takes the rest.
    { signal, progress: (fraction) => progress(0.8 * fraction) },
  );
  return sumOf(blocks, cellsOf, { nRows: overlap.nCols, nCols: counts.nCols });
}

/** The cells that some bins capture, ascending. */
function cellsIn({ indptr, indices }: SparseMatrix, bins: readonly number[]): number[] {
  const cells = new Set<number>();
  for (const bin of bins) {
    for (let e = indptr[bin]; e < indptr[bin + 1]; e++) cells.add(indices[e]);
  }
  return [...cells].sort((a, b) => a - b);
}

/** A cell's counts in one square, or in all of them. */
interface CellCounts {
  genes: Uint32Array;
  counts: Float32Array;
}

function sumOf(
  blocks: readonly AllocatedBlock[],
  cellsOf: readonly (readonly number[])[],
  shape: { nRows: number; nCols: number },
): Allocation {
  const unassigned = new Float64Array(shape.nCols);
  const rows = new Array<CellCounts | undefined>(shape.nRows);
  const indptr = new Uint32Array(shape.nRows + 1);
  blocks.forEach((block, b) => {
    const { indptr: ends, indices, data } = block.counts;
    cellsOf[b].forEach((cell, i) => {
      const genes = indices.subarray(ends[i], ends[i + 1]);
      const own = { genes, counts: data.subarray(ends[i], ends[i + 1]) };
      const other = rows[cell];
      rows[cell] = other ? added(other, own) : own;
      indptr[cell + 1] = rows[cell].genes.length;
    });
    block.unassigned.forEach((count, gene) => (unassigned[gene] += count));
  });
  for (let cell = 0; cell < shape.nRows; cell++) indptr[cell + 1] += indptr[cell];
  const indices = new Uint32Array(indptr[shape.nRows]);
  const data = new Float32Array(indptr[shape.nRows]);
  rows.forEach((row, cell) => {
    if (!row) return;
    indices.set(row.genes, indptr[cell]);
    data.set(row.counts, indptr[cell]);
  });
  return { counts: { ...shape, indptr, indices, data }, unassigned };
}

/** Two rows of ascending genes as one. */
function added(a: CellCounts, b: CellCounts): CellCounts {
  const genes = Uint32Array.from(new Set([...a.genes, ...b.genes])).sort();
  const counts = new Float32Array(genes.length);
  for (const row of [a, b]) {
    for (let from = 0, at = 0; from < row.genes.length; from++) {
      while (genes[at] !== row.genes[from]) at++;
      counts[at] += row.counts[from];
    }
  }
  return { genes, counts };
}
