/**
 * Cleveland's robust locally weighted regression of y on x (1979), with three rounds of reweighting, as R's `lowess` does
 * it. `x` is ascending. Points nearer than a hundredth of the range to the last fitted one are interpolated. O(n · span · n)
 * at worst, with a few hundred fits.
 */
export function lowess(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  span: number,
): Float64Array<ArrayBuffer> {
  const n = x.length;
  const fitted = new Float64Array(n);
  if (n < 2) return Float64Array.from(y);
  const nearest = Math.max(2, Math.min(n, Math.floor(span * n + 1e-7)));
  let robustness: Float64Array | null = null;
  for (let round = 0; round <= ROUNDS; round++) {
    smooth(x, y, nearest, robustness, fitted);
    if (round < ROUNDS) robustness = bisquare(y, fitted);
    if (robustness === null) break;
  }
  return fitted;
}

const ROUNDS = 3;

function smooth(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  nearest: number,
  robustness: Float64Array | null,
  fitted: Float64Array,
): void {
  const n = x.length;
  const gap = 0.01 * (x[n - 1] - x[0]);
  let [left, right, last, i] = [0, nearest - 1, -1, 0];
  while (last < n - 1) {
    while (right < n - 1 && x[i] - x[left] > x[right + 1] - x[i]) {
      left++;
      right++;
    }
    fitted[i] = fitAt(x, y, x[i], left, right, robustness) ?? y[i];
    for (let j = last + 1; j < i; j++) {
      const share = (x[j] - x[last]) / (x[i] - x[last]);
      fitted[j] = share * fitted[i] + (1 - share) * fitted[last];
    }
    last = i;
    const end = x[last] + gap;
    for (i = last + 1; i < n && x[i] <= end; i++) {
      if (x[i] !== x[last]) continue;
      fitted[i] = fitted[last];
      last = i;
    }
    i = Math.max(last + 1, i - 1);
  }
}

/** The local line's value at `at`, with tricube weights; null if no point has weight. */
function fitAt(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  at: number,
  left: number,
  right: number,
  robustness: Float64Array | null,
): number | null {
  const width = Math.max(at - x[left], x[right] - at);
  const weights: number[] = [];
  let total = 0;
  for (let j = left; j < x.length; j++) {
    const distance = Math.abs(x[j] - at);
    let weight = 0;
    if (distance <= 0.999 * width) {
      weight = distance <= 0.001 * width ? 1 : (1 - (distance / width) ** 3) ** 3;
      if (robustness) weight *= robustness[j];
    } else if (x[j] > at) break;
    weights.push(weight);
    total += weight;
  }
  if (total <= 0) return null;
  let [meanX, meanY] = [0, 0];
  weights.forEach((weight, k) => {
    meanX += (weight / total) * x[left + k];
    meanY += (weight / total) * y[left + k];
  });
  let [spread, product] = [0, 0];
  weights.forEach((weight, k) => {
    const centered = x[left + k] - meanX;
    spread += (weight / total) * centered * centered;
    product += (weight / total) * centered * y[left + k];
  });
  const isLine = width > 0 && Math.sqrt(spread) > 0.001 * (x[x.length - 1] - x[0]);
  return isLine ? meanY + ((at - meanX) * product) / spread : meanY;
}

/** Weights of points by their residuals; null if the fit is exact. */
function bisquare(y: ArrayLike<number>, fitted: Float64Array): Float64Array | null {
  const n = y.length;
  const sizes = Float64Array.from(fitted, (value, i) => Math.abs(y[i] - value));
  const sorted = sizes.toSorted();
  const scale = 3 * (sorted[n >> 1] + sorted[(n - 1) >> 1]);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / n;
  if (scale < 1e-7 * mean) return null;
  return sizes.map((size) =>
    size <= 0.001 * scale ? 1 : size > 0.999 * scale ? 0 : (1 - (size / scale) ** 2) ** 2,
  );
}
