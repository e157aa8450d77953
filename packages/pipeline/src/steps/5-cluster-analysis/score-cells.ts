import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import { standardized, type CellRates, type GeneStatistics } from "./gene-statistics.ts";
import type { ResolvedSet } from "../../types/resolve-sets.ts";
import { lengthOf } from "./set-score.ts";

/** Weight of the cluster's mean in a cell's score; chosen on open data, see docs/methods/5-cluster-analysis.md. */
export const CLUSTER_SHARE = 0.6;

/**
 * Scores the sets in each cell: sets × cells, row-major. The mean of the cell's cluster has a weight of `clusterShare`.
 * Each marker is read once for all sets that contain it. O(markers · cells).
 */
export async function scoreCells(
  sets: readonly ResolvedSet[],
  statistics: ReadonlyMap<number, GeneStatistics>,
  input: CellRates,
  options: { signal: AbortSignal; progress(fraction: number): void; clusterShare: number },
): Promise<Float32Array> {
  const { nCells } = input;
  const scores = new Float32Array(sets.length * nCells);
  const uses = usesByGene(sets);
  let done = 0;
  for (const [gene, users] of uses) {
    if (done++ % 8 === 0) {
      await setImmediate();
      throwIfCancelled(options.signal);
      options.progress(done / uses.size);
    }
    const numbers = statistics.get(gene);
    if (!numbers) continue;
    const column = input.rates.column(gene);
    const z = Float32Array.from(column, (rate) => standardized(rate, numbers));
    for (const { row, weight, absent } of users) {
      const start = row * nCells;
      if (absent) {
        for (let cell = 0; cell < nCells; cell++) {
          if (z[cell] > 0) scores[start + cell] -= weight * z[cell];
        }
      } else {
        for (let cell = 0; cell < nCells; cell++) scores[start + cell] += weight * z[cell];
      }
    }
  }
  blendWithClusters(scores, sets.length, input, options.clusterShare);
  evenOut(scores, sets.length, nCells);
  return scores;
}

/** Maximum number of cells, evenly spaced, for computing a set's scale. */
const SCALE_CELLS = 4000;
/** Lower limit for a set's top score, which bounds the factor of sets that score low everywhere. */
const LEAST_TOP = 1.5;
const TOP = 4;

/**
 * Makes the scores of sets more comparable. Cells of a type that dominates the tissue are close to the average of their
 * own markers, while those of a rare type are far above it. To compensate, divides out the square root of the ratio of
 * the top scores.
 */
function evenOut(scores: Float32Array, nRows: number, nCells: number): void {
  const step = Math.max(1, Math.floor(nCells / SCALE_CELLS));
  for (let row = 0; row < nRows; row++) {
    const start = row * nCells;
    const sample: number[] = [];
    for (let cell = 0; cell < nCells; cell += step) sample.push(scores[start + cell]);
    sample.sort((a, b) => a - b);
    const top = Math.max(LEAST_TOP, sample[Math.floor(0.97 * (sample.length - 1))] ?? 0);
    const factor = Math.sqrt(TOP / top);
    for (let cell = 0; cell < nCells; cell++) scores[start + cell] *= factor;
  }
}

interface Use {
  row: number;
  weight: number;
  absent: boolean;
}

function usesByGene(sets: readonly ResolvedSet[]): Map<number, Use[]> {
  const uses = new Map<number, Use[]>();
  const add = (gene: number, use: Use): void => {
    const known = uses.get(gene);
    if (known) known.push(use);
    else uses.set(gene, [use]);
  };
  sets.forEach(({ present, absent }, row) => {
    for (const [genes, isAbsent] of [
      [present, false],
      [absent, true],
    ] as const) {
      const length = lengthOf(genes);
      for (const { gene, weight } of genes) {
        add(gene, { row, weight: weight / length, absent: isAbsent });
      }
    }
  });
  return uses;
}

function blendWithClusters(
  scores: Float32Array,
  nRows: number,
  { nCells, clusters, nClusters }: CellRates,
  share: number,
): void {
  const sizes = new Float64Array(nClusters);
  for (const cluster of clusters) if (cluster >= 0) sizes[cluster]++;
  for (let row = 0; row < nRows; row++) {
    const start = row * nCells;
    const sums = new Float64Array(nClusters);
    for (let cell = 0; cell < nCells; cell++) {
      if (clusters[cell] >= 0) sums[clusters[cell]] += scores[start + cell];
    }
    for (let cell = 0; cell < nCells; cell++) {
      const cluster = clusters[cell];
      if (cluster < 0) continue;
      scores[start + cell] =
        (1 - share) * scores[start + cell] + (share * sums[cluster]) / sizes[cluster];
    }
  }
}
