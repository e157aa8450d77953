import { squaredDistance } from "../dense.ts";
import { placesByValue } from "../places-by-value.ts";
import { Random } from "../random.ts";
import type { SearchedPoints } from "./neighbor-block.ts";

/** Points by region; points of a region are adjacent. */
export interface Regions {
  /** Indices of the points, region after region. */
  order: Uint32Array;
  /** Start of each region in `order`, and end of the last one. */
  starts: Uint32Array;
  /** For each region, all regions by distance between centers, nearest first (itself). */
  nearest: Uint32Array[];
}

/** Fewer points than this form one region: all pairs are compared. */
const ONE_REGION = 4096;
/** Number of regions: this many times √n. */
const REGIONS = 3;
const ROUNDS = 3;
/** Rows per matrix product. */
const ROWS = 4096;

/** Divides points among 3√n centers found by a few rounds of k-means. Deterministic. O(n · √n · nDims). */
export async function regionsOf(searched: SearchedPoints): Promise<Regions> {
  const { points, nDims } = searched;
  const n = points.length / nDims;
  const count = n < ONE_REGION ? 1 : Math.round(REGIONS * Math.sqrt(n));
  const random = new Random(0);
  let centers = new Float32Array(count * nDims);
  for (let region = 0; region < count; region++) {
    const point = random.below(n);
    centers.set(points.subarray(point * nDims, (point + 1) * nDims), region * nDims);
  }
  let regionOf = new Uint32Array(n);
  for (let round = 0; count > 1 && round < ROUNDS; round++) {
    regionOf = await nearestCenters(searched, centers);
    centers = meansOf(points, nDims, regionOf, centers);
  }
  const { starts, places: order } = placesByValue(regionOf, count);
  const nearest = Array.from({ length: count }, (_, own) => {
    const distances = Float64Array.from({ length: count }, (_, other) =>
      other === own ? -1 : squaredDistance(centers, own * nDims, centers, other * nDims, nDims),
    );
    return Uint32Array.from(distances.keys()).sort((a, b) => distances[a] - distances[b] || a - b);
  });
  return { order, starts, nearest };
}

async function nearestCenters(
  { points, nDims, product }: SearchedPoints,
  centers: Float32Array,
): Promise<Uint32Array<ArrayBuffer>> {
  const n = points.length / nDims;
  const count = centers.length / nDims;
  const columns = new Float32Array((nDims + 1) * count);
  for (let c = 0; c < count; c++) {
    for (let d = 0; d < nDims; d++) {
      const value = centers[c * nDims + d];
      columns[d * count + c] = 2 * value;
      columns[nDims * count + c] -= value * value;
    }
  }
  const regionOf = new Uint32Array(n);
  for (let from = 0; from < n; from += ROWS) {
    const to = Math.min(n, from + ROWS);
    const rows = new Float32Array((to - from) * (nDims + 1)).fill(1);
    for (let i = from; i < to; i++) {
      rows.set(points.subarray(i * nDims, (i + 1) * nDims), (i - from) * (nDims + 1));
    }
    const scores = await product(rows, { data: columns, nCols: count });
    for (let i = from; i < to; i++) {
      let most = -Infinity;
      for (let c = 0, at = (i - from) * count; c < count; c++, at++) {
        if (scores[at] > most) [most, regionOf[i]] = [scores[at], c];
      }
    }
  }
  return regionOf;
}

/** Mean of each region's points; a region without points keeps its center. */
function meansOf(
  points: Float32Array,
  nDims: number,
  regionOf: Uint32Array,
  centers: Float32Array,
): Float32Array<ArrayBuffer> {
  const sums = new Float64Array(centers.length);
  const counts = new Float64Array(centers.length / nDims);
  regionOf.forEach((region, point) => {
    counts[region]++;
    for (let d = 0; d < nDims; d++) sums[region * nDims + d] += points[point * nDims + d];
  });
  return centers.map((value, i) => {
    const n = counts[Math.floor(i / nDims)];
    return n > 0 ? sums[i] / n : value;
  });
}
