/** Mean nuclear signal of background and nuclei over the whole slide, and the threshold that separates them. */
export interface SignalRange {
  background: number;
  nuclei: number;
  threshold: number;
}

/** Side of the squares over which class means are computed, px. */
const BLOCK = 8;

/** Even pale nuclei stand out by at least this (optical density, or square root of scaled fluorescence). */
const MIN_SPAN = 0.1;

/** Sums over a (2·radius + 1)² window of squares, clipped at the border. O(squares). */
function boxSum(source: Float64Array, width: number, height: number, radius: number): Float64Array {
  const rows = new Float64Array(source.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x <= Math.min(radius, width - 1); x++) sum += source[row + x];
    for (let x = 0; x < width; x++) {
      rows[row + x] = sum;
      if (x + radius + 1 < width) sum += source[row + x + radius + 1];
      if (x - radius >= 0) sum -= source[row + x - radius];
    }
  }
  const result = new Float64Array(source.length);
  for (let x = 0; x < width; x++) {
    let sum = 0;
    for (let y = 0; y <= Math.min(radius, height - 1); y++) sum += rows[y * width + x];
    for (let y = 0; y < height; y++) {
      result[y * width + x] = sum;
      if (y + radius + 1 < height) sum += rows[(y + radius + 1) * width + x];
      if (y - radius >= 0) sum -= rows[(y - radius) * width + x];
    }
  }
  return result;
}

/**
 * Rescales a nuclear signal so that 0 is the local background and 1 the local nuclei.
 *
 * Both are means over a window of about 2·`radiusPx`: first of the pixels below and above the slide's threshold,
 * then, until `rounds` is reached, below and above the midpoint of the two local means. The slide-wide means enter with
 * a weight of `prior` windows, and the two levels stay at least `minSpan` of the slide-wide difference apart, so that
 * texture is not mistaken for nuclei where there are none.
 * O(pixels).
 */
export function localContrast(
  signal: Float32Array,
  width: number,
  height: number,
  range: SignalRange,
  options: { radiusPx: number; prior: number; rounds: number; minSpan: number },
): Float32Array {
  const bw = Math.ceil(width / BLOCK);
  const bh = Math.ceil(height / BLOCK);
  const reach = Math.max(1, Math.round(options.radiusPx / 2 / BLOCK));
  const weight = options.prior * (2 * options.radiusPx) ** 2;
  let threshold = new Float32Array(bw * bh).fill(range.threshold);
  let low = new Float32Array(bw * bh);
  let high = new Float32Array(bw * bh);
  for (let round = 0; round < options.rounds; round++) {
    const below = new Float64Array(bw * bh);
    const above = new Float64Array(bw * bh);
    const nBelow = new Float64Array(bw * bh);
    const nAbove = new Float64Array(bw * bh);
    for (let y = 0; y < height; y++) {
      const blockRow = Math.floor(y / BLOCK) * bw;
      for (let x = 0; x < width; x++) {
        const block = blockRow + (x >> 3);
        const value = signal[y * width + x];
        if (value > threshold[block]) {
          above[block] += value;
          nAbove[block]++;
        } else {
          below[block] += value;
          nBelow[block]++;
        }
      }
    }
    // Two box means in a row give a window without hard edges.
    const spread = (source: Float64Array): Float64Array =>
      boxSum(boxSum(source, bw, bh, reach), bw, bh, reach);
    const [sb, sa, nb, na] = [below, above, nBelow, nAbove].map(spread);
    const times = (2 * reach + 1) ** 2;
    low = new Float32Array(bw * bh);
    high = new Float32Array(bw * bh);
    threshold = new Float32Array(bw * bh);
    for (let i = 0; i < bw * bh; i++) {
      low[i] = (sb[i] / times + weight * range.background) / (nb[i] / times + weight);
      high[i] = (sa[i] / times + weight * range.nuclei) / (na[i] / times + weight);
      threshold[i] = (low[i] + high[i]) / 2;
    }
  }
  const span = Math.max(MIN_SPAN, options.minSpan * (range.nuclei - range.background));
  for (let i = 0; i < high.length; i++) high[i] = Math.max(high[i], low[i] + span);
  return rescale(signal, width, height, low, high, bw, bh);
}

/** (signal − low) / (high − low), with both surfaces interpolated between the square centers. */
function rescale(
  signal: Float32Array,
  width: number,
  height: number,
  low: Float32Array,
  high: Float32Array,
  bw: number,
  bh: number,
): Float32Array {
  const result = new Float32Array(signal.length);
  for (let y = 0; y < height; y++) {
    const by = Math.min(bh - 1, Math.max(0, (y + 0.5) / BLOCK - 0.5));
    const y0 = Math.floor(by);
    const y1 = Math.min(bh - 1, y0 + 1);
    const fy = by - y0;
    for (let x = 0; x < width; x++) {
      const bx = Math.min(bw - 1, Math.max(0, (x + 0.5) / BLOCK - 0.5));
      const x0 = Math.floor(bx);
      const x1 = Math.min(bw - 1, x0 + 1);
      const fx = bx - x0;
      const a = (1 - fy) * (1 - fx);
      const b = (1 - fy) * fx;
      const c = fy * (1 - fx);
      const d = fy * fx;
      const i00 = y0 * bw + x0;
      const i01 = y0 * bw + x1;
      const i10 = y1 * bw + x0;
      const i11 = y1 * bw + x1;
      const l = a * low[i00] + b * low[i01] + c * low[i10] + d * low[i11];
      const h = a * high[i00] + b * high[i01] + c * high[i10] + d * high[i11];
      const at = y * width + x;
      result[at] = (signal[at] - l) / Math.max(1e-6, h - l);
    }
  }
  return result;
}
