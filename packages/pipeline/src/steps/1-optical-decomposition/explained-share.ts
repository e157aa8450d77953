import type { Matrix } from "@stipple/numerics/matrices";

/** Low-resolution image values, one plane each, that may predict expression. */
export interface ImagePlanes {
  width: number;
  height: number;
  /** Image pixels per plane pixel. */
  step: number;
  planes: readonly Float32Array[];
}

/** Spots in image pixels, and their expression. */
export interface PlacedSpots {
  xy: Matrix;
  components: Matrix;
  radiusPx: number;
}

/** Maps a spot at (x, y) of the image to a new position. */
export type Place = (x: number, y: number) => [number, number];

/**
 * Cross-validated share of the components' variance that the image explains at the placed spots: below 0 if it
 * is only misleading, null if fewer than `staying` of them are on it. O(spots · planes²).
 */
export function explainedShare(
  image: ImagePlanes,
  spots: PlacedSpots,
  order: Uint32Array,
  place: Place,
  staying = 0.9,
): number | null {
  const nFeatures = 2 * image.planes.length + 1;
  const rows: number[] = [];
  const features: number[] = [];
  const reach = Math.max(1, Math.round(spots.radiusPx / image.step));
  for (const spot of order) {
    const [x, y] = place(spots.xy.data[2 * spot], spots.xy.data[2 * spot + 1]);
    const measured = around(image, x / image.step, y / image.step, reach);
    if (!measured) continue;
    rows.push(spot);
    features.push(1, ...measured);
  }
  if (rows.length < staying * order.length) return null;
  standardize(features, nFeatures);
  const nAxes = Math.min(5, spots.components.nCols);
  let [total, left] = [0, 0];
  for (let fold = 0; fold < 5; fold++) {
    const inFold = (i: number): boolean => i % 5 === fold;
    const weights = ridge(features, nFeatures, rows, spots.components, nAxes, (i) => !inFold(i));
    for (let i = 0; i < rows.length; i++) {
      if (!inFold(i)) continue;
      for (let axis = 0; axis < nAxes; axis++) {
        let fit = 0;
        for (let f = 0; f < nFeatures; f++) {
          fit += features[i * nFeatures + f] * weights[f * nAxes + axis];
        }
        const value = spots.components.data[rows[i] * spots.components.nCols + axis];
        total += (value - weights[axis]) ** 2;
        left += (value - fit) ** 2;
      }
    }
  }
  return total > 0 ? 1 - left / total : 0;
}

/** Mean and standard deviation of each plane in a square around (x, y); null off the image. */
function around(image: ImagePlanes, x: number, y: number, reach: number): number[] | null {
  const [cx, cy] = [Math.floor(x), Math.floor(y)];
  if (cx < 0 || cy < 0 || cx >= image.width || cy >= image.height) return null;
  const values: number[] = [];
  for (const plane of image.planes) {
    let [n, sum, squares] = [0, 0, 0];
    for (let v = Math.max(0, cy - reach); v <= Math.min(image.height - 1, cy + reach); v++) {
      for (let u = Math.max(0, cx - reach); u <= Math.min(image.width - 1, cx + reach); u++) {
        const value = plane[v * image.width + u];
        n++;
        sum += value;
        squares += value * value;
      }
    }
    const mean = sum / n;
    values.push(mean, Math.sqrt(Math.max(0, squares / n - mean * mean)));
  }
  return values;
}

/** Standardizes every column except the first (the constant) to mean 0 and standard deviation 1. */
function standardize(features: number[], nFeatures: number): void {
  const n = features.length / nFeatures;
  for (let f = 1; f < nFeatures; f++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      const value = features[i * nFeatures + f];
      sum += value;
      squares += value * value;
    }
    const mean = sum / n;
    const sd = Math.sqrt(Math.max(1e-12, squares / n - mean * mean));
    for (let i = 0; i < n; i++)
      features[i * nFeatures + f] = (features[i * nFeatures + f] - mean) / sd;
  }
}

/**
 * Ridge weights, nFeatures × nAxes, fitted on the rows selected by `use`; the constant is not penalized.
 * Gauss–Jordan elimination.
 */
function ridge(
  features: readonly number[],
  nFeatures: number,
  rows: readonly number[],
  components: Matrix,
  nAxes: number,
  use: (i: number) => boolean,
): Float64Array {
  const width = nFeatures + nAxes;
  const system = new Float64Array(nFeatures * width);
  let used = 0;
  for (let i = 0; i < rows.length; i++) {
    if (!use(i)) continue;
    used++;
    for (let a = 0; a < nFeatures; a++) {
      const left = features[i * nFeatures + a];
      for (let b = 0; b < nFeatures; b++)
        system[a * width + b] += left * features[i * nFeatures + b];
      for (let axis = 0; axis < nAxes; axis++) {
        system[a * width + nFeatures + axis] +=
          left * components.data[rows[i] * components.nCols + axis];
      }
    }
  }
  for (let a = 1; a < nFeatures; a++) system[a * width + a] += 0.01 * used;
  for (let a = 0; a < nFeatures; a++) {
    const pivot = system[a * width + a] || 1e-12;
    for (let c = a; c < width; c++) system[a * width + c] /= pivot;
    for (let b = 0; b < nFeatures; b++) {
      if (b === a) continue;
      const factor = system[b * width + a];
      for (let c = a; c < width; c++) system[b * width + c] -= factor * system[a * width + c];
    }
  }
  const weights = new Float64Array(nFeatures * nAxes);
  for (let a = 0; a < nFeatures; a++) {
    weights.set(system.subarray(a * width + nFeatures, (a + 1) * width), a * nAxes);
  }
  return weights;
}
