import Flatbush from "flatbush";
import { standardized, type AnalyzedTissue, type FoundCellPrediction } from "./analyzed-tissue.ts";

/** Number of spatially nearest cells considered for each cell. */
const NEAR = 40;
/** Number of the most similar of these that the cell is joined to. */
const NEIGHBORS = 10;
const STEPS = 6;
/** A cell's weight on its own value in each step. */
const SELF = 0.3;

/**
 * Diffusion on a graph of cells similar in space and look, based on the idea of Thor: a cell starts with its
 * spot's counts divided among the spot's cells, then repeatedly takes the mean of its neighbors. O(cells ·
 * (NEAR · features + STEPS · NEIGHBORS · genes)); holds two dense cells × genes arrays.
 */
export function thorLike(tissue: AnalyzedTissue): FoundCellPrediction {
  const { cellsXy, counts, spotOf } = tissue;
  const nCells = cellsXy.nRows;
  const nGenes = counts.nCols;
  const graph = likeNeighbors(tissue);
  const cellsIn = new Float64Array(counts.nRows);
  for (const spot of spotOf) if (spot >= 0) cellsIn[spot]++;
  let now = new Float32Array(nCells * nGenes);
  for (let cell = 0; cell < nCells; cell++) {
    const spot = spotOf[cell];
    if (spot < 0) continue;
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      now[cell * nGenes + counts.indices[k]] = counts.data[k] / cellsIn[spot];
    }
  }
  let next = new Float32Array(nCells * nGenes);
  for (let step = 0; step < STEPS; step++) {
    for (let cell = 0; cell < nCells; cell++) {
      const to = cell * nGenes;
      for (let gene = 0; gene < nGenes; gene++) next[to + gene] = SELF * now[to + gene];
      for (let k = 0; k < NEIGHBORS; k++) {
        const weight = (1 - SELF) * graph.weight[cell * NEIGHBORS + k];
        if (weight === 0) continue;
        const from = graph.neighbor[cell * NEIGHBORS + k] * nGenes;
        for (let gene = 0; gene < nGenes; gene++) next[to + gene] += weight * now[from + gene];
      }
    }
    [now, next] = [next, now];
  }
  return (cell, row) => row.set(now.subarray(cell * nGenes, (cell + 1) * nGenes));
}

/** The most similar of the nearest cells, with Gaussian weights based on feature distance; rows sum to 1. */
function likeNeighbors({ cellsXy, features }: AnalyzedTissue): {
  neighbor: Int32Array;
  weight: Float32Array;
} {
  const n = cellsXy.nRows;
  const z = standardized(features);
  const index = new Flatbush(n);
  for (let i = 0; i < n; i++) index.add(cellsXy.data[2 * i], cellsXy.data[2 * i + 1]);
  index.finish();
  const neighbor = new Int32Array(n * NEIGHBORS);
  const weight = new Float32Array(n * NEIGHBORS);
  for (let i = 0; i < n; i++) {
    const alike = index
      .neighbors(cellsXy.data[2 * i], cellsXy.data[2 * i + 1], NEAR + 1)
      .filter((j) => j !== i)
      .map((j) => [j, squaredDistance(z.data, z.nCols, i, j)] as const)
      .sort((a, b) => a[1] - b[1])
      .slice(0, NEIGHBORS);
    const width = alike[alike.length >> 1]?.[1] ?? 1;
    const weights = alike.map(([, d]) => Math.exp(-d / Math.max(width, 1e-9)));
    const sum = weights.reduce((a, b) => a + b, 0);
    alike.forEach(([j], k) => {
      neighbor[i * NEIGHBORS + k] = j;
      weight[i * NEIGHBORS + k] = weights[k] / sum;
    });
    if (alike.length === 0) {
      neighbor[i * NEIGHBORS] = i;
      weight[i * NEIGHBORS] = 1;
    }
  }
  return { neighbor, weight };
}

function squaredDistance(data: Float32Array, width: number, i: number, j: number): number {
  let sum = 0;
  for (let p = 0; p < width; p++) sum += (data[i * width + p] - data[j * width + p]) ** 2;
  return sum;
}
