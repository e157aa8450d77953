import { defineTask } from "@stipple/tasks/task";
import type { Neighbors } from "@stipple/numerics/neighbors/find-neighbors";
import { fitSimilarityCurve } from "./similarity-curve.ts";
import { optimizeLayout } from "./optimize-layout.ts";
import type { WeightedGraph } from "@stipple/numerics/graph/weighted-graph";
import { placesByValue } from "@stipple/numerics/places-by-value";

export interface LayoutOptions {
  epochs: number;
  minDist: number;
  seed: number;
}

/**
 * Moves cells from their starting positions to their final UMAP positions; yields the number of completed
 * epochs.
 */
export function* layOut(
  embedding: Float32Array,
  neighbors: Neighbors,
  { epochs, minDist, seed }: LayoutOptions,
): Generator<number> {
  const graph = fuzzyGraph(neighbors);
  yield* optimizeLayout(embedding, { graph, curve: fitSimilarityCurve(minDist), epochs, seed });
}

export interface LayoutWork extends Neighbors, LayoutOptions {
  /** Starting positions of the cells, nCells × 2. */
  start: Float32Array<ArrayBuffer>;
  /** A single number in shared memory: the completed epochs. */
  told: Int32Array;
}

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export function layOutOnThread(
  _shared: object,
  { start, told, ...given }: LayoutWork,
): Float32Array<ArrayBuffer> {
  for (const done of layOut(start, given, given)) Atomics.store(told, 0, done);
  return start;
}

/** Lays out cells based on their neighbors. */
export const layOutTask = defineTask(import.meta.url, layOutOnThread);

/** Lower limit of a cell's scale, as a fraction of its mean neighbor distance. */
const MIN_SCALE = 1e-3;
const HALVINGS = 64;
const PRECISION = 1e-5;

/**
 * UMAP's graph of cells (fuzzy simplicial set, McInnes et al. 2018): the edge between two cells has weight a +
 * b − a·b, where a and b are the membership strengths of each cell among the other's neighbors. O(n · k).
 */
export function fuzzyGraph({ k, indices, distances }: Neighbors): WeightedGraph {
  const nNodes = indices.length / k;
  const near = nearness(distances, k);
  const { starts: first, places } = placesByValue(indices, nNodes);
  const starts = new Uint32Array(nNodes + 1);
  const targets = new Uint32Array(2 * indices.length);
  const weights = new Float32Array(2 * indices.length);
  // Position of the current cell's edge to each neighbor.
  const edgeTo = new Int32Array(nNodes).fill(-1);
  let size = 0;
  for (let cell = 0; cell < nNodes; cell++) {
    for (let place = cell * k; place < (cell + 1) * k; place++) {
      edgeTo[indices[place]] = size;
      targets[size] = indices[place];
      weights[size++] = near[place];
    }
    for (let at = first[cell]; at < first[cell + 1]; at++) {
      const other = Math.floor(places[at] / k);
      const theirs = near[places[at]];
      const edge = edgeTo[other];
      if (edge >= 0) {
        weights[edge] += theirs - weights[edge] * theirs;
      } else {
        targets[size] = other;
        weights[size++] = theirs;
      }
    }
    for (let place = cell * k; place < (cell + 1) * k; place++) edgeTo[indices[place]] = -1;
    starts[cell + 1] = size;
  }
  return { nNodes, starts, targets: targets.slice(0, size), weights: weights.slice(0, size) };
}

/**
 * 1 for the nearest neighbor, decreasing with distance so that the values of a cell's k neighbors and itself
 * sum to log2(k + 1).
 */
function nearness(distances: Float64Array, k: number): Float64Array {
  const wanted = Math.log2(k + 1);
  const near = new Float64Array(distances.length);
  for (let first = 0; first < distances.length; first += k) {
    const own = distances.subarray(first, first + k);
    const nearest = own.find((distance) => distance > 0) ?? 0;
    let [low, high, scale] = [0, Infinity, 1];
    for (let halving = 0; halving < HALVINGS; halving++) {
      let sum = 0;
      for (let j = 0; j < k; j++) sum += Math.exp(-Math.max(0, own[j] - nearest) / scale);
      if (Math.abs(sum - wanted) < PRECISION) break;
      if (sum > wanted) high = scale;
      else low = scale;
      scale = high === Infinity ? 2 * scale : (low + high) / 2;
    }
    let mean = 0;
    for (let j = 0; j < k; j++) mean += own[j] / k;
    scale = Math.max(scale, MIN_SCALE * mean, Number.MIN_VALUE);
    for (let j = 0; j < k; j++) {
      near[first + j] = Math.exp(-Math.max(0, own[j] - nearest) / scale);
    }
  }
  return near;
}
