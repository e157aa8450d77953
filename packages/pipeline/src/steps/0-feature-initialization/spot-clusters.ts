import * as scran from "scran.js";
import { pause } from "../../engine/pause.ts";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { graphClusters } from "@stipple/numerics/graph-clusters";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";

export interface SpotClusters {
  /** 0 … nClusters − 1, largest cluster first. */
  cluster: Int32Array;
  nClusters: number;
  /** nSpots × {@link N_COMPONENTS}; missing components (few spots) are 0. */
  components: Matrix<Float32Array>;
}

export interface SpotClusterOptions {
  threads: number;
  seed: number;
  signal: AbortSignal;
  progress(fraction: number): void;
}

export const N_COMPONENTS = 10;
const N_VARIABLE_GENES = 2000;
/**
 * Number of spots used to compute axes and clusters; other spots are projected and join the nearest cluster.
 */
const MAX_SKETCH = 15_000;
/** libscran fits its trend only to genes above this mean of log-normalized values. */
const MIN_TREND_MEAN = 0.1;
/** With fewer spots, a neighbor graph is meaningless. */
const MIN_SPOTS = 12;

/**
 * Log-normalizes spots, computes principal components over the most variable genes, and clusters the spots
 * (variance trend and PCA from libscran, shared nearest neighbors, Leiden with modularity). Spots without
 * counts get zero components and the cluster of the preceding spot in file order.
 */
export async function clusterSpots(
  counts: SparseMatrix,
  totals: Float64Array,
  options: SpotClusterOptions,
): Promise<SpotClusters> {
  const components: Matrix<Float32Array> = {
    nRows: counts.nRows,
    nCols: N_COMPONENTS,
    data: new Float32Array(counts.nRows * N_COMPONENTS),
  };
  const counted = Uint32Array.from(totals.keys()).filter((spot) => totals[spot] > 0);
  const sketch = sketchOf(counted, MAX_SKETCH, new Random(options.seed));
  if (sketch.length < 3 || !hasAtLeast(3, counts.indices)) {
    return { cluster: new Int32Array(counts.nRows), nClusters: 1, components };
  }
  await scran.initialize({ numberOfThreads: options.threads });
  options.progress(0.1);
  await pause(options.signal);
  const axes = principalAxes(counts, totals, sketch, options.threads);
  options.progress(0.4);
  await pause(options.signal);
  project(counts, totals, axes, components, counted, options.signal);
  options.progress(0.6);
  if (sketch.length < MIN_SPOTS) {
    return { cluster: new Int32Array(counts.nRows), nClusters: 1, components };
  }
  const { cluster, nClusters } = await graphClusters(components, sketch, counted, {
    neighbors: Math.max(3, Math.min(15, Math.round(Math.sqrt(sketch.length)))),
    resolution: 1,
  });
  joinEmptySpots(cluster);
  options.progress(0.9);
  await pause(options.signal);
  return { cluster, nClusters, components };
}

/**
 * Whether a list contains at least this many different numbers; a set of all of them would take seconds on a
 * large slide.
 */
function hasAtLeast(fewest: number, numbers: Uint32Array): boolean {
  const known = new Set<number>();
  for (const number of numbers) if (known.add(number).size >= fewest) return true;
  return false;
}

interface Axes {
  /** Gene index → row of `rotation`, -1 for genes that are not used. */
  rowOf: Int32Array;
  /** nUsedGenes × nAxes, row-major. */
  rotation: Float64Array;
  nAxes: number;
  /** Score of a spot whose used genes are all 0; centers the sketch at 0. */
  offset: Float64Array;
  /** Mean total of the sketch, to which a spot's counts are scaled. */
  meanTotal: number;
}

function principalAxes(
  counts: SparseMatrix,
  totals: Float64Array,
  sketch: Uint32Array,
  threads: number,
): Axes {
  const owned: scran.WasmObject[] = [];
  const own = <T extends scran.WasmObject>(object: T): T => {
    owned.push(object);
    return object;
  };
  try {
    const subset = columnsOf(counts, sketch);
    const matrix = own(
      scran.initializeSparseMatrixFromSparseArrays(
        counts.nCols,
        sketch.length,
        subset.values,
        subset.genes,
        subset.pointers,
        { byRow: false },
      ),
    );
    const meanTotal = sketch.reduce((sum, spot) => sum + totals[spot], 0) / sketch.length;
    const sizeFactors = Float64Array.from(sketch, (spot) => totals[spot] / meanTotal);
    const normalized = own(scran.normalizeCounts(matrix, { sizeFactors }));
    const { means, variances } = geneMoments(counts.nCols, sketch.length, subset, sizeFactors);
    const chosen = variableGenes(normalized, means, variances, threads);
    const pca = own(
      scran.runPca(normalized, {
        features: chosen,
        numberOfPCs: N_COMPONENTS,
        numberOfThreads: threads,
      }),
    );
    const nAxes = pca.numberOfPCs();
    const columns = pca.rotation();
    const rowOf = new Int32Array(counts.nCols).fill(-1);
    let nUsed = 0;
    for (let gene = 0; gene < counts.nCols; gene++) if (chosen[gene]) rowOf[gene] = nUsed++;
    const rotation = new Float64Array(nUsed * nAxes);
    const offset = new Float64Array(nAxes);
    for (let gene = 0; gene < counts.nCols; gene++) {
      const row = rowOf[gene];
      if (row < 0) continue;
      for (let axis = 0; axis < nAxes; axis++) {
        const weight = columns[axis * nUsed + row];
        rotation[row * nAxes + axis] = weight;
        offset[axis] -= means[gene] * weight;
      }
    }
    return { rowOf, rotation, nAxes, offset, meanTotal };
  } finally {
    for (const object of owned) object.free();
  }
}

/** Mean and variance of each gene's log-normalized values over the sketch. O(nnz). */
function geneMoments(
  nGenes: number,
  nSpots: number,
  subset: ReturnType<typeof columnsOf>,
  sizeFactors: Float64Array,
): { means: Float64Array; variances: Float64Array } {
  const means = new Float64Array(nGenes);
  const variances = new Float64Array(nGenes);
  for (let spot = 0; spot < nSpots; spot++) {
    for (let k = subset.pointers[spot]; k < subset.pointers[spot + 1]; k++) {
      const value = Math.log2(1 + subset.values[k] / sizeFactors[spot]);
      means[subset.genes[k]] += value;
      variances[subset.genes[k]] += value * value;
    }
  }
  for (let gene = 0; gene < nGenes; gene++) {
    means[gene] /= nSpots;
    variances[gene] = Math.max(0, variances[gene] / nSpots - means[gene] ** 2);
  }
  return { means, variances };
}

/**
 * The most variable genes, 1 = chosen: farthest above libscran's trend of variance over mean. If too few genes
 * are expressed enough for that trend (HD bins), farthest above a straight line, which is the trend for rare
 * counts.
 */
function variableGenes(
  normalized: scran.CountsMatrix,
  means: Float64Array,
  variances: Float64Array,
  threads: number,
): Uint8Array {
  const nGenes = means.length;
  if (means.reduce((count, mean) => count + Number(mean > MIN_TREND_MEAN), 0) >= 50) {
    const trend = scran.modelGeneVariances(normalized, { numberOfThreads: threads });
    const chosen = scran.chooseHvgs(trend, { number: Math.min(N_VARIABLE_GENES, nGenes) });
    trend.free();
    if (chosen.reduce((sum, used) => sum + used, 0) >= 20) return chosen;
  }
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const slope = sum(variances) / Math.max(1e-12, sum(means));
  const order = Array.from(means.keys())
    .filter((gene) => variances[gene] > 0)
    .sort((a, b) => variances[b] - slope * means[b] - (variances[a] - slope * means[a]) || a - b);
  const chosen = new Uint8Array(nGenes);
  for (const gene of order.slice(0, N_VARIABLE_GENES)) chosen[gene] = 1;
  return chosen;
}

function columnsOf(
  counts: SparseMatrix,
  spots: Uint32Array,
): { values: Int32Array; genes: Int32Array; pointers: Float64Array } {
  const pointers = new Float64Array(spots.length + 1);
  spots.forEach((spot, i) => {
    pointers[i + 1] = pointers[i] + counts.indptr[spot + 1] - counts.indptr[spot];
  });
  const values = new Int32Array(pointers[spots.length]);
  const genes = new Int32Array(pointers[spots.length]);
  spots.forEach((spot, i) => {
    values.set(counts.data.subarray(counts.indptr[spot], counts.indptr[spot + 1]), pointers[i]);
    genes.set(counts.indices.subarray(counts.indptr[spot], counts.indptr[spot + 1]), pointers[i]);
  });
  return { values, genes, pointers };
}

function project(
  counts: SparseMatrix,
  totals: Float64Array,
  axes: Axes,
  components: Matrix<Float32Array>,
  spots: Uint32Array,
  signal: AbortSignal,
): void {
  const { rowOf, rotation, nAxes, offset, meanTotal } = axes;
  const score = new Float64Array(nAxes);
  spots.forEach((spot, i) => {
    if (i % 10_000 === 0) throwIfCancelled(signal);
    score.set(offset);
    const factor = meanTotal / totals[spot];
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      const row = rowOf[counts.indices[k]];
      if (row < 0) continue;
      const value = Math.log2(1 + counts.data[k] * factor);
      for (let axis = 0; axis < nAxes; axis++) score[axis] += value * rotation[row * nAxes + axis];
    }
    components.data.set(score, spot * N_COMPONENTS);
  });
}

/** Spots without counts join the cluster of the preceding spot in file order. */
function joinEmptySpots(cluster: Int32Array): void {
  let last = 0;
  for (let spot = 0; spot < cluster.length; spot++) {
    if (cluster[spot] < 0) cluster[spot] = last;
    else last = cluster[spot];
  }
}
