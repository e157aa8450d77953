import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Tasks } from "../../engine/tasks/task.ts";
import { throwIfCancelled } from "../../errors.ts";
import type { SparseMatrix } from "../../fields.ts";
import type { RateParts } from "../../model/rates.ts";
import { chooseRows } from "../../numerics/sparse.ts";
import { statisticsOfGenes } from "./gene-statistics-task.ts";

/** Deviations are clipped here: a handful of cells must not outweigh the rest of a set. */
const MAX_Z = 4;
/** Number of rates above which threads are worth starting. */
const WORTH_THREADS = 2e6;
/** Genes per task. */
const TASK_GENES = 16;

/**
 * Statistics of one marker gene over all cells, with which its rates can be standardized when they are read again.
 * Genes that are not used further are read only once.
 */
export interface GeneStatistics {
  /** Center and spread of log1p(rate × scale). */
  center: number;
  spread: number;
  scale: number;
  /** Fraction of variance between clusters, minus what chance would give; 0–1. */
  between: number;
  /** Mean standardized value in each cluster. */
  clusterMean: Float32Array;
}

export interface CellRates {
  nCells: number;
  rates: { column(gene: number): Float32Array };
  /** Data from which threads compute the same rates; if omitted, no threads are used. */
  shared?: { parts: RateParts; geneCounts: SparseMatrix } | undefined;
  clusters: Int32Array;
  nClusters: number;
}

/**
 * Standardized log rates by cluster. Rates are first scaled to a mean of 1, so that log1p acts on the same range for
 * every gene. The center is the mean over clusters weighted by the square root of their size, so that in a tissue
 * dominated by one type, that type is still above the center. Genes without variation are dropped. O(genes · cells).
 */
export async function geneStatistics(
  genes: readonly number[],
  input: CellRates,
  options: {
    signal: AbortSignal;
    progress(fraction: number): void;
    /** Threads that share the genes above a number of rates, by default {@link WORTH_THREADS}. */
    others?: { tasks: Tasks; worthThreads?: number } | undefined;
  },
): Promise<Map<number, GeneStatistics>> {
  const { nCells, shared } = input;
  const { signal, progress, others } = options;
  if (shared && others && nCells * genes.length >= (others.worthThreads ?? WORTH_THREADS)) {
    const { parts, geneCounts } = shared;
    const { clusters, nClusters } = input;
    const common = { key: randomUUID(), parts, clusters, nClusters };
    const inputs = {
      length: Math.ceil(genes.length / TASK_GENES),
      areOwn: true,
      at: (index: number) => {
        const some = genes.slice(index * TASK_GENES, (index + 1) * TASK_GENES);
        return { genes: some, counts: chooseRows(geneCounts, some) };
      },
    };
    const call = { shared: common, inputs };
    const found = (await others.tasks.map(statisticsOfGenes, call, { signal, progress })).flat();
    return new Map(genes.flatMap((gene, i) => (found[i] ? [[gene, found[i]]] : [])));
  }
  const sizes = clusterSizes(input);
  const result = new Map<number, GeneStatistics>();
  for (const [i, gene] of genes.entries()) {
    if (i % 8 === 0) {
      await setImmediate();
      throwIfCancelled(signal);
      progress(i / genes.length);
    }
    const found = statisticsOf(input.rates.column(gene), input.clusters, sizes);
    if (found) result.set(gene, found);
  }
  return result;
}

/** Cells of each cluster. */
export function clusterSizes({
  clusters,
  nClusters,
}: Pick<CellRates, "clusters" | "nClusters">): Float64Array {
  const sizes = new Float64Array(nClusters);
  for (const cluster of clusters) if (cluster >= 0) sizes[cluster]++;
  return sizes;
}

/** Statistics of one gene from its rates in all cells; null if they hardly vary. */
export function statisticsOf(
  column: Float32Array,
  clusters: Int32Array,
  sizes: Float64Array,
): GeneStatistics | null {
  const nCells = column.length;
  const nClusters = sizes.length;
  let total = 0;
  for (let cell = 0; cell < nCells; cell++) total += column[cell];
  if (!(total > 0)) return null;
  const scale = nCells / total;
  const sums = new Float64Array(nClusters);
  let [sum, squares] = [0, 0];
  for (let cell = 0; cell < nCells; cell++) {
    const value = Math.log1p(column[cell] * scale);
    sum += value;
    squares += value * value;
    if (clusters[cell] >= 0) sums[clusters[cell]] += value;
  }
  const mean = sum / nCells;
  const spread = Math.sqrt(Math.max(0, squares / nCells - mean * mean));
  if (!(spread > 1e-4)) return null;
  let [weighted, weights] = [0, 0];
  for (let cluster = 0; cluster < nClusters; cluster++) {
    if (sizes[cluster] === 0) continue;
    const weight = Math.sqrt(sizes[cluster]);
    weighted += (weight * sums[cluster]) / sizes[cluster];
    weights += weight;
  }
  const center = weights > 0 ? weighted / weights : mean;
  const clusterMean = Float32Array.from(sums, (value, cluster) =>
    sizes[cluster] > 0 ? bounded((value / sizes[cluster] - center) / spread) : 0,
  );
  let explained = 0;
  for (let cluster = 0; cluster < nClusters; cluster++) {
    if (sizes[cluster] > 0)
      explained += (sums[cluster] - sizes[cluster] * mean) ** 2 / sizes[cluster];
  }
  const chance = (nClusters - 1) / Math.max(1, nCells - 1);
  const between = Math.max(0, explained / (nCells * spread * spread) - chance);
  return { center, spread, scale, between, clusterMean };
}

/** Standardized log rate of one cell. */
export function standardized(rate: number, { center, spread, scale }: GeneStatistics): number {
  return bounded((Math.log1p(rate * scale) - center) / spread);
}

function bounded(z: number): number {
  return z > MAX_Z ? MAX_Z : z < -MAX_Z ? -MAX_Z : z;
}
