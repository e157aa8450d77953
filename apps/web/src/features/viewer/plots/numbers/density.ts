/** Points of the fine grid on which values are binned before smoothing. */
const FINE = 1024;
/** The kernel is truncated beyond this many bandwidths (7e-6 of its mass on each side). */
const REACH = 4.5;

/**
 * Gaussian kernel density of ascending values at `points` positions evenly spaced from `low` to `high`, which must
 * enclose all values. Kernel mass outside is reflected at the ends so that the density integrates to 1 between them:
 * expression has no values below 0. Values are linearly binned first (Silverman 1982): O(n + grid · bandwidth). Null
 * if no density can be estimated: fewer than two values, or all equal.
 */
export function density(
  sorted: Float32Array,
  low: number,
  high: number,
  points: number,
): Float64Array | null {
  const width = bandwidth(sorted);
  if (!(width > 0) || !(high > low)) return null;
  const step = (high - low) / (FINE - 1);
  // A kernel narrower than the grid spacing would show the bins.
  const sigma = Math.max(width, step) / step;
  const mass = new Float64Array(FINE);
  for (const value of sorted) {
    const at = Math.min(FINE - 1, Math.max(0, (value - low) / step));
    const left = Math.min(FINE - 2, Math.floor(at));
    mass[left]! += 1 - (at - left);
    mass[left + 1]! += at - left;
  }
  const smooth = smoothed(mass, sigma);
  // Trapezoidal rule: the first and last points count for half a step each.
  let sum = -(smooth[0]! + smooth[FINE - 1]!) / 2;
  for (const value of smooth) sum += value;
  const scale = 1 / (sum * step);
  return Float64Array.from({ length: points }, (_, point) => {
    const at = (point * (FINE - 1)) / (points - 1);
    const left = Math.min(FINE - 2, Math.floor(at));
    return scale * (smooth[left]! + (smooth[left + 1]! - smooth[left]!) * (at - left));
  });
}

/**
 * Silverman's rule of thumb: 0.9 · min(standard deviation, interquartile range / 1.34) · n^(−1/5); the standard
 * deviation alone when the interquartile range is 0.
 */
export function bandwidth(sorted: Float32Array): number {
  const n = sorted.length;
  if (n < 2) return 0;
  let mean = 0;
  for (const value of sorted) mean += value / n;
  let variance = 0;
  for (const value of sorted) variance += (value - mean) ** 2 / (n - 1);
  const quarter = (share: number): number => sorted[Math.round((n - 1) * share)]!;
  const middle = (quarter(0.75) - quarter(0.25)) / 1.34;
  const deviation = Math.sqrt(variance);
  return 0.9 * (middle > 0 ? Math.min(deviation, middle) : deviation) * n ** -0.2;
}

/** Convolution with a Gaussian of `sigma` grid steps, reflected at both ends. */
function smoothed(mass: Float64Array, sigma: number): Float64Array {
  const n = mass.length;
  const reach = Math.min(n - 1, Math.ceil(REACH * sigma));
  const kernel = Float64Array.from({ length: reach + 1 }, (_, k) =>
    Math.exp(-0.5 * (k / sigma) ** 2),
  );
  const result = new Float64Array(n);
  for (let from = 0; from < n; from++) {
    const weight = mass[from]!;
    if (weight === 0) continue;
    for (let k = -reach; k <= reach; k++) {
      let to = from + k;
      if (to < 0) to = -to;
      if (to > n - 1) to = 2 * (n - 1) - to;
      result[to]! += weight * kernel[Math.abs(k)]!;
    }
  }
  // An endpoint is its own mirror image and covers only half a step.
  result[0]! *= 2;
  result[n - 1]! *= 2;
  return result;
}
