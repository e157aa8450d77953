import { kMeans } from "../k-means.ts";
import type { Matrix } from "../matrices.ts";
import { Random } from "../random.ts";
import { applyHarmony, type HarmonyMap, type HarmonyRound } from "./harmony.ts";
import { openCosines, penalties, sharesOf, TILE, unitRows } from "./memberships.ts";

const MAX_CLUSTERS = 100;
/** One cluster for this many points, if they are few. */
const POINTS_PER_CLUSTER = 30;
/** Points from which the first centers are found. */
const MAX_SEEDED = 10_000;
const MAX_ROUNDS = 10;
const MAX_CLUSTERINGS = 10;
/** Clusterings end when the mean share of a point that changes its cluster is below this. */
const SETTLED = 0.01;
/** Rounds end when the points move by less than this share of their variance. */
const STILL = 1e-4;
/** Points whose shares are found at a time, of all; in between, penalties follow. */
const BLOCKS = 20;
/** Ridge on a group's shift, in points; Harmony's own. */
const LAMBDA = 1;

/**
 * Harmony (Korsunsky et al. 2019): moves groups of points (batches) onto each other within soft clusters that are pushed to
 * hold all groups alike. Deterministic in the seed. O(n · nClusters · nCols) per clustering.
 */
export async function fitHarmony(
  points: Matrix<Float32Array>,
  groupOf: Int32Array,
  options: { seed: number; reached?: (fraction: number) => Promise<void> | void },
): Promise<HarmonyMap> {
  const { data, nRows, nCols } = points;
  const { reached = () => undefined } = options;
  const random = new Random(options.seed);
  const share = groupShares(groupOf);
  const map: HarmonyMap = { nCols, rounds: [] };
  const nClusters = Math.max(1, Math.min(MAX_CLUSTERS, Math.round(nRows / POINTS_PER_CLUSTER)));
  const clustering = await openClustering(points, groupOf, share, nClusters, random);
  let moved: Float32Array = data;
  const spread = squareOf(data, null);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const clusters = await clustering(unitRows(moved, nCols));
    const shifts = shiftsOf(points, groupOf, share.length, clusters.shares, clusters.nClusters);
    map.rounds.push({ ...clusters.soft, shifts });
    // Moved by the map, as all points will be, so that later rounds are fitted to what these will look like.
    const next = (await applyHarmony(map, points, groupOf)).data;
    const still = squareOf(next, moved) < STILL * spread;
    moved = next;
    await reached((round + 1) / MAX_ROUNDS);
    if (still) break;
  }
  return map;
}

interface Clustered {
  soft: Omit<HarmonyRound, "shifts">;
  nClusters: number;
  /** nRows × nClusters. */
  shares: Float32Array;
}

/** Finds soft clusters of unit vectors, starting from those found last. */
async function openClustering(
  { nRows, nCols, data }: Matrix<Float32Array>,
  groupOf: Int32Array,
  share: Float64Array,
  wanted: number,
  random: Random,
): Promise<(unit: Float32Array) => Promise<Clustered>> {
  const cosinesOf = await openCosines(nCols);
  const order = random.order(nRows);
  const seeded = new Float32Array(Math.min(nRows, MAX_SEEDED) * nCols);
  const first = unitRows(data, nCols);
  for (let i = 0; i * nCols < seeded.length; i++) {
    seeded.set(first.subarray(order[i] * nCols, (order[i] + 1) * nCols), i * nCols);
  }
  const { centers: means } = kMeans(seeded, nCols, wanted, { seed: random.uint32() });
  const nClusters = means.length / nCols;
  let centers = unitColumns(means, nCols);
  let shares: Float32Array | null = null;
  let held = new Float64Array(share.length * nClusters);

  return async (unit) => {
    for (let round = 0; round < MAX_CLUSTERINGS; round++) {
      if (shares) centers = unitColumns(sumsOf(unit, shares, nClusters), nCols);
      const next = new Float32Array(nRows * nClusters);
      for (let from = 0; from < nRows; from += TILE) {
        const rows = unit.slice(from * nCols, Math.min(nRows, from + TILE) * nCols);
        next.set(await cosinesOf(rows, { data: centers, nCols: nClusters }), from * nClusters);
      }
      const before: Float32Array | null = shares;
      const reshared = reshare(next, before, { groupOf, share, order, held, nClusters });
      [shares, held] = [next, reshared.held];
      random.shuffle(order);
      if (reshared.changed < SETTLED) break;
    }
    const penalty = penalties(held, share, nClusters);
    return { soft: { centers, nClusters, penalty }, nClusters, shares: shares! };
  };
}

/** Turns cosines into shares, block by block; returns what the clusters then hold of each group. */
function reshare(
  next: Float32Array,
  before: Float32Array | null,
  {
    groupOf,
    share,
    order,
    nClusters,
    ...given
  }: {
    groupOf: Int32Array;
    share: Float64Array;
    order: Uint32Array;
    held: Float64Array;
    nClusters: number;
  },
): { held: Float64Array<ArrayBuffer>; changed: number } {
  const held = Float64Array.from(given.held);
  const size = Math.ceil(order.length / BLOCKS);
  let changed = 0;
  for (let from = 0; from < order.length; from += size) {
    const block = order.subarray(from, from + size);
    if (before) for (const i of block) addShares(held, groupOf[i], before, i, nClusters, -1);
    // At first nothing is held, so that no cluster repels any group.
    const penalty = penalties(held, share, nClusters);
    const soft = { centers: next, nClusters, penalty };
    for (const i of block) {
      sharesOf(next, i * nClusters, soft, groupOf[i]);
      addShares(held, groupOf[i], next, i, nClusters, 1);
      changed += changeOf(next, before, i * nClusters, nClusters);
    }
  }
  return { held, changed: changed / order.length };
}

function addShares(
  held: Float64Array,
  group: number,
  shares: Float32Array,
  i: number,
  nClusters: number,
  sign: number,
): void {
  for (let k = 0; k < nClusters; k++) {
    held[group * nClusters + k] += sign * shares[i * nClusters + k];
  }
}

/** Half the difference of a point's shares: 1 if it has left all of its clusters. */
function changeOf(
  next: Float32Array,
  before: Float32Array | null,
  at: number,
  nClusters: number,
): number {
  if (!before) return 1;
  let sum = 0;
  for (let k = 0; k < nClusters; k++) sum += Math.abs(next[at + k] - before[at + k]);
  return sum / 2;
}

/**
 * By how much each cluster is to move each group: ridge regression of the points, weighted by their shares of the cluster,
 * on an intercept and a term for each group. The normal equations are diagonal but for the intercept, so they are solved
 * by elimination.
 */
function shiftsOf(
  { data, nRows, nCols }: Matrix<Float32Array>,
  groupOf: Int32Array,
  nGroups: number,
  shares: Float32Array,
  nClusters: number,
): Float32Array {
  const held = new Float64Array(nGroups * nClusters);
  const sums = new Float64Array(nGroups * nClusters * nCols);
  for (let i = 0; i < nRows; i++) {
    addShares(held, groupOf[i], shares, i, nClusters, 1);
    addSums(sums, groupOf[i] * nClusters, shares, data, i, nClusters, nCols);
  }
  const shifts = new Float32Array(sums.length);
  for (let k = 0; k < nClusters; k++) {
    let weight = 0;
    const intercept = new Float64Array(nCols);
    for (let g = 0; g < nGroups; g++) {
      const at = g * nClusters + k;
      const left = LAMBDA / (held[at] + LAMBDA);
      weight += held[at] * left;
      for (let d = 0; d < nCols; d++) intercept[d] += sums[at * nCols + d] * left;
    }
    for (let g = 0; g < nGroups; g++) {
      const at = g * nClusters + k;
      for (let d = 0; d < nCols; d++) {
        const level = weight > 1e-9 ? intercept[d] / weight : 0;
        shifts[at * nCols + d] = (sums[at * nCols + d] - held[at] * level) / (held[at] + LAMBDA);
      }
    }
  }
  return shifts;
}

function addSums(
  sums: Float64Array,
  row: number,
  shares: Float32Array,
  data: Float32Array,
  i: number,
  nClusters: number,
  nCols: number,
): void {
  for (let k = 0; k < nClusters; k++) {
    const share = shares[i * nClusters + k];
    if (share < 1e-6) continue;
    const to = (row + k) * nCols;
    for (let d = 0; d < nCols; d++) sums[to + d] += share * data[i * nCols + d];
  }
}

function sumsOf(unit: Float32Array, shares: Float32Array, nClusters: number): Float64Array {
  const nRows = shares.length / nClusters;
  const nCols = unit.length / nRows;
  const sums = new Float64Array(nClusters * nCols);
  for (let i = 0; i < nRows; i++) addSums(sums, 0, shares, unit, i, nClusters, nCols);
  return sums;
}

/** Rows of `means` as unit vectors, transposed: nCols × nClusters. */
function unitColumns(means: Float64Array, nCols: number): Float32Array<ArrayBuffer> {
  const nClusters = means.length / nCols;
  const columns = new Float32Array(means.length);
  for (let k = 0; k < nClusters; k++) {
    const norm = Math.hypot(...means.subarray(k * nCols, (k + 1) * nCols));
    for (let d = 0; d < nCols; d++) {
      columns[d * nClusters + k] = norm > 0 ? means[k * nCols + d] / norm : 0;
    }
  }
  return columns;
}

function groupShares(groupOf: Int32Array): Float64Array {
  const counts: number[] = [];
  for (const group of groupOf) counts[group] = (counts[group] ?? 0) + 1;
  return Float64Array.from(counts, (count) => (count ?? 0) / groupOf.length);
}

/** Sum of squared differences; of the values themselves without others. */
function squareOf(a: Float32Array, b: Float32Array | null): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - (b ? b[i] : 0)) ** 2;
  return sum;
}
