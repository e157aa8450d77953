import { Random } from "./random.ts";

export interface KMeans {
  /** k × nDims, row-major; k may be smaller than requested if there are fewer distinct points. */
  centers: Float64Array;
  /** Index of the nearest center of every point. */
  assigned: Int32Array;
}

const ITERATIONS = 30;

/**
 * k-means++ seeding and Lloyd's iterations (Arthur & Vassilvitskii 2007) on `points` (nPoints × nDims, row-major).
 * Centers that lose all their points are dropped. Deterministic in the seed. O(iterations · nPoints · k · nDims).
 */
export function kMeans(
  points: Float32Array,
  nDims: number,
  k: number,
  options: { seed: number },
): KMeans {
  const n = points.length / nDims;
  const random = new Random(options.seed);
  const nearest = new Float64Array(n).fill(Infinity);
  let centers = new Float64Array(Math.min(k, n) * nDims);
  let found = 0;
  for (; found < Math.min(k, n); found++) {
    const chosen = found === 0 ? random.below(n) : drawByWeight(nearest, random);
    if (chosen < 0) break;
    for (let d = 0; d < nDims; d++) centers[found * nDims + d] = points[chosen * nDims + d];
    for (let i = 0; i < n; i++) {
      nearest[i] = Math.min(nearest[i], distance(points, i, centers, found, nDims));
    }
  }
  centers = centers.slice(0, found * nDims);
  const assigned = new Int32Array(n);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const changed = assign(points, centers, nDims, assigned);
    if (changed === 0 && iteration > 0) break;
    centers = means(points, assigned, centers.length / nDims, nDims);
  }
  assign(points, centers, nDims, assigned);
  return { centers, assigned };
}

/** Index drawn with probability proportional to its weight, or -1 if all weights are zero. */
function drawByWeight(weights: Float64Array, random: Random): number {
  let total = 0;
  for (const weight of weights) total += weight;
  if (!(total > 0)) return -1;
  let left = random.uniform() * total;
  for (let i = 0; i < weights.length; i++) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return weights.length - 1;
}

function distance(
  points: Float32Array,
  i: number,
  centers: Float64Array,
  j: number,
  nDims: number,
): number {
  let sum = 0;
  for (let d = 0; d < nDims; d++) {
    const difference = points[i * nDims + d] - centers[j * nDims + d];
    sum += difference * difference;
  }
  return sum;
}

/** Assigns every point to its nearest center; returns how many changed. */
function assign(
  points: Float32Array,
  centers: Float64Array,
  nDims: number,
  assigned: Int32Array,
): number {
  const k = centers.length / nDims;
  let changed = 0;
  for (let i = 0; i < assigned.length; i++) {
    let best = 0;
    let least = Infinity;
    for (let j = 0; j < k; j++) {
      const at = distance(points, i, centers, j, nDims);
      if (at < least) {
        least = at;
        best = j;
      }
    }
    if (assigned[i] !== best) changed++;
    assigned[i] = best;
  }
  return changed;
}

/** Means of the points of each center; centers without points are dropped. */
function means(
  points: Float32Array,
  assigned: Int32Array,
  k: number,
  nDims: number,
): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(k * nDims);
  const sizes = new Float64Array(k);
  for (let i = 0; i < assigned.length; i++) {
    const j = assigned[i];
    sizes[j] += 1;
    for (let d = 0; d < nDims; d++) sums[j * nDims + d] += points[i * nDims + d];
  }
  const kept: number[] = [];
  for (let j = 0; j < k; j++) if (sizes[j] > 0) kept.push(j);
  const centers = new Float64Array(kept.length * nDims);
  kept.forEach((j, to) => {
    for (let d = 0; d < nDims; d++) centers[to * nDims + d] = sums[j * nDims + d] / sizes[j];
  });
  return centers;
}
