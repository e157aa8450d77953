/** Normalized Gaussian weights k[0 … r] of one half of the kernel; k[0] is the center. Truncated at 3σ. */
function halfKernel(sigma: number): Float64Array {
  const radius = Math.max(1, Math.ceil(3 * sigma));
  const half = new Float64Array(radius + 1);
  let sum = 0;
  for (let i = 0; i <= radius; i++) {
    half[i] = Math.exp((-i * i) / (2 * sigma * sigma));
    sum += i === 0 ? half[i] : 2 * half[i];
  }
  return half.map((weight) => weight / sum);
}

/**
 * Gaussian smoothing of a row-major image (width × height); edge pixels are repeated beyond the border. Sums are doubles
 * in tap order; rows are rounded to floats between the two passes. O(pixels · σ). Returns a new image.
 */
export function gaussianBlur(
  source: Float32Array,
  width: number,
  height: number,
  sigma: number,
): Float32Array<ArrayBuffer> {
  const half = halfKernel(sigma);
  const radius = half.length - 1;
  const result = new Float32Array(source.length);
  if (result.length === 0) return result;
  const nRows = Math.min(height, 2 * radius + 1);
  // Rows, already blurred along x, that later rows still need: few enough to stay in the processor's cache.
  const rows = new Float32Array(nRows * width);
  const rowAt = (y: number): number => (y % nRows) * width;
  const padded = new Float32Array(width + 2 * radius);
  const sums = new Float64Array(width);
  const left = (i: number): number => radius - i;
  const right = (i: number): number => radius + i;
  const blurRow = (y: number): void => {
    const row = y * width;
    padded.fill(source[row], 0, radius);
    padded.set(source.subarray(row, row + width), radius);
    padded.fill(source[row + width - 1], radius + width);
    addUp(sums, half, padded, radius, left, right);
    rows.set(sums, rowAt(y));
  };
  for (let y = 0, ready = 0; y < height; y++) {
    while (ready < Math.min(height, y + radius + 1)) blurRow(ready++);
    const above = (i: number): number => rowAt(Math.max(0, y - i));
    const below = (i: number): number => rowAt(Math.min(height - 1, y + i));
    addUp(sums, half, rows, rowAt(y), above, below);
    result.set(sums, y * width);
  }
  return result;
}

/** sums ← the values from `at` on and, on both sides of them, those that lie i away, by their weights. */
function addUp(
  sums: Float64Array,
  half: Float64Array,
  values: Float32Array,
  at: number,
  before: (i: number) => number,
  after: (i: number) => number,
): void {
  const radius = half.length - 1;
  startTaps(sums, half[0], values, at);
  for (let i = 1; i <= radius; i += 2) {
    const next = Math.min(i + 1, radius);
    const weight = i < radius ? half[next] : 0;
    addTaps(sums, half[i], weight, values, before(i), after(i), before(next), after(next));
  }
}

/** sums ← weight · values from `at` on. */
function startTaps(sums: Float64Array, weight: number, values: Float32Array, at: number): void {
  for (let x = 0; x < sums.length; x++) sums[x] = weight * values[at + x];
}

/** sums ← sums + weight · (left + right) + nextWeight · (nextLeft + nextRight): two at a time, for half the stores. */
function addTaps(
  sums: Float64Array,
  weight: number,
  nextWeight: number,
  values: Float32Array,
  left: number,
  right: number,
  nextLeft: number,
  nextRight: number,
): void {
  for (let x = 0; x < sums.length; x++) {
    sums[x] =
      sums[x] +
      weight * (values[left + x] + values[right + x]) +
      nextWeight * (values[nextLeft + x] + values[nextRight + x]);
  }
}
