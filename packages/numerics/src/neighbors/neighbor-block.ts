import { openGraph, type GraphRun } from "../onnx-graph.ts";

/** Points to be searched. */
export interface SearchedPoints {
  /** nPoints × nDims. */
  points: Float32Array;
  nDims: number;
  product: GraphRun;
}

/** The `k` nearest points of each of some points, nearest first. */
export interface NeighborBlock {
  indices: Int32Array;
  distances: Float64Array;
}

/** Number of points compared with all candidates at once; their scores stay in the CPU cache. */
const ROWS = 64;
/**
 * Extra candidates beyond `k`, because single precision may misorder the last ones until their distances are computed.
 */
const SPARE = 3;

/** Prepares points (n × nDims, by rows) for {@link nearestOf}. */
export async function openPoints(points: Float32Array, nDims: number): Promise<SearchedPoints> {
  const product = await openGraph({
    nodes: [{ operator: "MatMul", inputs: ["rows", "candidates"], output: "scores" }],
    inputs: [
      { name: "rows", shape: ["rows", nDims + 1] },
      { name: "candidates", shape: [nDims + 1, "columns"] },
    ],
    output: { name: "scores", shape: ["rows", "columns"] },
  });
  return { points, nDims, product };
}

/**
 * The `k` nearest candidates, other than itself, of each of the points from … to − 1 by Euclidean distance. Candidates
 * are ordered by 2 x·y − |y|², computed for all pairs by a matrix product. O((to − from) · candidates · nDims).
 */
export async function nearestOf(
  { points, nDims, product }: SearchedPoints,
  candidates: Uint32Array,
  k: number,
  { from, to }: { from: number; to: number },
): Promise<NeighborBlock> {
  const width = candidates.length;
  const columns = new Float32Array((nDims + 1) * width);
  for (let c = 0; c < width; c++) {
    let square = 0;
    for (let d = 0; d < nDims; d++) {
      const value = points[candidates[c] * nDims + d];
      square += value * value;
      columns[d * width + c] = 2 * value;
    }
    columns[nDims * width + c] = -square;
  }
  const wanted = Math.min(k + SPARE, width - 1);
  const indices = new Int32Array((to - from) * k);
  const distances = new Float64Array((to - from) * k);
  const rows = new Float32Array(ROWS * (nDims + 1));
  const best = new Int32Array(wanted);
  const score = new Float64Array(wanted);
  for (let first = from; first < to; first += ROWS) {
    const n = Math.min(ROWS, to - first);
    for (let i = 0; i < n; i++) {
      const point = (first + i) * nDims;
      rows.set(points.subarray(point, point + nDims), i * (nDims + 1));
      rows[i * (nDims + 1) + nDims] = 1;
    }
    const scores = await product(rows.subarray(0, n * (nDims + 1)), {
      data: columns,
      nCols: width,
    });
    for (let i = 0; i < n; i++) {
      score.fill(-Infinity);
      const row = scores.subarray(i * width, (i + 1) * width);
      keepHighest(row, candidates, first + i, best, score);
      const measured = Array.from(best, (other) => ({
        other,
        distance: distanceOf(points, nDims, first + i, other),
      })).sort((a, b) => a.distance - b.distance || a.other - b.other);
      for (let j = 0; j < k; j++) {
        const at = (first - from + i) * k + j;
        indices[at] = measured[j].other;
        distances[at] = measured[j].distance;
      }
    }
  }
  return { indices, distances };
}

/** Fills `best` with the candidates with the highest scores, highest first. */
function keepHighest(
  row: Float32Array,
  candidates: Uint32Array,
  self: number,
  best: Int32Array,
  score: Float64Array,
): void {
  const last = best.length - 1;
  let least = score[last];
  for (let c = 0; c < row.length; c++) {
    const value = row[c];
    if (!(value > least) || candidates[c] === self) continue;
    let place = last;
    for (; place > 0 && score[place - 1] < value; place--) {
      score[place] = score[place - 1];
      best[place] = best[place - 1];
    }
    score[place] = value;
    best[place] = candidates[c];
    least = score[last];
  }
}

function distanceOf(points: Float32Array, nDims: number, a: number, b: number): number {
  let sum = 0;
  for (let d = 0; d < nDims; d++) sum += (points[a * nDims + d] - points[b * nDims + d]) ** 2;
  return Math.sqrt(sum);
}
