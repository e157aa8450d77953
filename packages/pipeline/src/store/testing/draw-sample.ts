import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";

export interface SimulatedSize {
  cells: number;
  spots: number;
  genes: number;
  prototypes?: number;
  /** Width and height of the tissue, full-resolution px. */
  sidePx?: number;
}

/** Cells of four types in stripes, half of them under spots, with exactly conserved integer counts. */
export type DrawnSample = ReturnType<typeof drawSample>;

export function drawSample(size: SimulatedSize) {
  const { cells: nCells, spots: nSpots, genes: nGenes, prototypes: k = 8, sidePx = 1000 } = size;
  const random = new Random(7);
  const cellXy = latticePoints(nCells, sidePx, random);
  const spotXy = latticePoints(nSpots, sidePx, random);
  const typeOf = Int32Array.from({ length: nCells }, (_, c) =>
    Math.min(3, Math.floor((4 * cellXy[2 * c]) / sidePx)),
  );
  const observed = Uint8Array.from({ length: nCells }, (_, c) => (c % 2 === 0 ? 1 : 0));
  const spotOf = Int32Array.from({ length: nCells }, (_, c) => (c % 10 === 9 ? -1 : c % nSpots));

  const membership = new Float32Array(nCells * k);
  for (let c = 0; c < nCells; c++) {
    let sum = 0;
    for (let j = 0; j < k; j++) {
      sum += membership[c * k + j] = random.gamma(j % 4 === typeOf[c] ? 3 : 0.2);
    }
    for (let j = 0; j < k; j++) membership[c * k + j] /= sum;
  }
  const profile = Float32Array.from({ length: k * nGenes }, () => random.gamma(0.3));
  const rowsOfCells: [number, number][][] = [];
  const spotCounts = new Map<number, Map<number, number>>();
  const addToSpot = (spot: number, gene: number, count: number): void => {
    const row = spotCounts.get(spot) ?? new Map<number, number>();
    row.set(gene, (row.get(gene) ?? 0) + count);
    spotCounts.set(spot, row);
  };
  for (let c = 0; c < nCells; c++) {
    const row = new Map<number, number>();
    if (observed[c] && spotOf[c] >= 0) {
      for (let drawn = 0; drawn < Math.max(3, nGenes / 20); drawn++) {
        const gene = random.below(nGenes);
        const count = 1 + random.below(3);
        row.set(gene, (row.get(gene) ?? 0) + count);
        addToSpot(spotOf[c], gene, count);
      }
    }
    rowsOfCells.push([...row].sort((a, b) => a[0] - b[0]));
  }
  const unassigned = Float64Array.from({ length: nGenes }, () => random.below(4));
  unassigned.forEach((count, gene) => {
    if (count > 0) addToSpot(gene % nSpots, gene, count);
  });
  const counts = sparseOf(rowsOfCells, nGenes);
  const spots = sparseOf(
    Array.from({ length: nSpots }, (_, s) =>
      [...(spotCounts.get(s) ?? [])].sort((a, b) => a[0] - b[0]),
    ),
    nGenes,
  );
  return {
    ...{ nCells, nSpots, nGenes, k, sidePx, random, cellXy, spotXy, typeOf, observed, spotOf },
    ...{ membership, profile, counts, spots, unassigned },
  };
}

/** Points on a jittered square lattice, interleaved x, y. */
function latticePoints(count: number, side: number, random: Random): Float32Array {
  const columns = Math.ceil(Math.sqrt(count));
  const step = side / columns;
  return Float32Array.from({ length: 2 * count }, (_, i) => {
    const at = i % 2 === 0 ? Math.floor(i / 2) % columns : Math.floor(i / 2 / columns);
    return (at + 0.3 + 0.4 * random.uniform()) * step;
  });
}

/** A matrix of rows of [column, value], columns ascending. */
export function sparseOf(rows: readonly (readonly number[])[][], nCols: number): SparseMatrix {
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => (indptr[i + 1] = indptr[i] + row.length));
  const entries = rows.flat();
  return {
    nRows: rows.length,
    nCols,
    indptr,
    indices: Uint32Array.from(entries, ([column]) => column),
    data: Float32Array.from(entries, ([, value]) => value),
  };
}
