import KDBush from "kdbush";
import type { SparseMatrix } from "@stipple/numerics/matrices";

/** The spots around each cell and their weights, both nCells × width; unused entries are -1 with weight 0. */
export interface NearestSpots {
  width: number;
  spot: Int32Array;
  /** Each row sums to 1, or is all zero for a cell with no spot within reach. */
  weight: Float32Array;
}

/**
 * Gaussian weights exp(−d²/2ℓ²) of the `width` nearest spots of each point, normalized to sum 1. Spots for which `use`
 * is 0 are excluded (held-out or empty spots). Spots beyond 3ℓ are excluded, unless `always` asks for the single
 * nearest one, however far. O(nPoints · log nSpots).
 */
export function nearestSpots(
  points: { readonly data: ArrayLike<number>; readonly nRows: number },
  spots: { readonly data: ArrayLike<number>; readonly nRows: number },
  options: {
    lengthPx: number;
    width: number;
    use?: Uint8Array | undefined;
    always: boolean;
  },
): NearestSpots {
  const { lengthPx, width, use, always } = options;
  const used: number[] = [];
  for (let s = 0; s < spots.nRows; s++) if (!use || use[s]) used.push(s);
  const spot = new Int32Array(points.nRows * width).fill(-1);
  const weight = new Float32Array(points.nRows * width);
  if (used.length === 0) return { width, spot, weight };
  const tree = new KDBush(used.length);
  for (const s of used) tree.add(spots.data[2 * s], spots.data[2 * s + 1]);
  tree.finish();
  const reach = 3 * lengthPx;
  const distance = new Float64Array(width);
  for (let i = 0; i < points.nRows; i++) {
    const x = points.data[2 * i];
    const y = points.data[2 * i + 1];
    let found = tree.within(x, y, reach);
    const isFar = found.length === 0 && always;
    for (let r = 2 * reach; isFar && found.length === 0 && r <= 2e9; r *= 2) {
      found = tree.within(x, y, r);
    }
    const own = spot.subarray(i * width, (i + 1) * width);
    distance.fill(Infinity);
    // Nearest first; of equally near ones, the first spot first.
    for (const at of found) {
      const s = used[at];
      const d2 = (spots.data[2 * s] - x) ** 2 + (spots.data[2 * s + 1] - y) ** 2;
      const isBefore = (j: number): boolean =>
        d2 < distance[j] || (d2 === distance[j] && s < own[j]);
      let j = isFar ? 0 : width - 1;
      if (!isBefore(j)) continue;
      for (; j > 0 && isBefore(j - 1); j--) {
        distance[j] = distance[j - 1];
        own[j] = own[j - 1];
      }
      distance[j] = d2;
      own[j] = s;
    }
    // Relative to the nearest, so that the weights of a distant cell do not all underflow.
    let total = 0;
    for (let j = 0; j < width && own[j] >= 0; j++) {
      const w = Math.exp(-(distance[j] - distance[0]) / (2 * lengthPx * lengthPx));
      weight[i * width + j] = w;
      total += w;
    }
    for (let j = 0; j < width && own[j] >= 0; j++) weight[i * width + j] /= total;
  }
  return { width, spot, weight };
}

/**
 * The spots that capture most of each cell, weighted by how much: rows of the transposed overlap matrix. For small bins
 * this is more informative than distance. O(entries · width).
 */
export function capturingSpots(overlap: SparseMatrix, width: number): NearestSpots {
  const spot = new Int32Array(overlap.nCols * width).fill(-1);
  const weight = new Float32Array(overlap.nCols * width);
  for (let s = 0; s < overlap.nRows; s++) {
    for (let k = overlap.indptr[s]; k < overlap.indptr[s + 1]; k++) {
      const from = overlap.indices[k] * width;
      let at = from + width - 1;
      if (!(overlap.data[k] > weight[at])) continue;
      for (; at > from && overlap.data[k] > weight[at - 1]; at--) {
        weight[at] = weight[at - 1];
        spot[at] = spot[at - 1];
      }
      weight[at] = overlap.data[k];
      spot[at] = s;
    }
  }
  for (let from = 0; from < weight.length; from += width) {
    let total = 0;
    for (let at = from; at < from + width; at++) total += weight[at];
    if (total > 0) for (let at = from; at < from + width; at++) weight[at] /= total;
  }
  return { width, spot, weight };
}

/** Weighted mean of the first `nCols` of `values` (nSpots × width, row-major) over each point's spots → nPoints × nCols. */
export function interpolate(
  { width, spot, weight }: NearestSpots,
  values: ArrayLike<number>,
  nCols: number,
  valuesWidth = nCols,
): Float32Array {
  const nPoints = spot.length / width;
  const out = new Float32Array(nPoints * nCols);
  for (let i = 0; i < nPoints; i++) {
    for (let j = 0; j < width; j++) {
      const s = spot[i * width + j];
      if (s < 0) continue;
      const w = weight[i * width + j];
      for (let c = 0; c < nCols; c++) out[i * nCols + c] += w * values[s * valuesWidth + c];
    }
  }
  return out;
}
