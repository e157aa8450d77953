/** Normalized Gaussian weights k[0 … r] of one half; k[0] is the center. Cut at 3σ. */
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
 * Gaussian smoothing of a row-major image (width × height); the border repeats its last pixel.
 * O(pixels · σ). Returns a new image.
 */
export function gaussianBlur(
  source: Float32Array,
  width: number,
  height: number,
  sigma: number,
): Float32Array {
  const half = halfKernel(sigma);
  const radius = half.length - 1;
  // Rows that the next ones still need, blurred along themselves: they stay in the processor's cache.
  const ring = Array.from({ length: 2 * radius + 1 }, () => new Float32Array(width));
  const rowAt = (y: number): Float32Array => ring[y % ring.length];
  const padded = new Float32Array(width + 2 * radius);
  // Tap after tap over a whole row: loops this plain run several times as fast as all taps of one pixel after the other.
  const sums = new Float64Array(width);
  function blurRow(y: number): void {
    const row = y * width;
    padded.fill(source[row], 0, radius);
    padded.set(source.subarray(row, row + width), radius);
    padded.fill(source[row + width - 1], radius + width);
    scaled(padded.subarray(radius, radius + width), half[0], sums);
    for (let i = 1; i <= radius; i++) {
      const left = padded.subarray(radius - i, radius - i + width);
      addPair(left, padded.subarray(radius + i, radius + i + width), half[i], sums);
    }
    rowAt(y).set(sums);
  }
  const result = new Float32Array(source.length);
  for (let y = 0, ready = 0; y < height; y++) {
    while (ready < Math.min(height, y + radius + 1)) blurRow(ready++);
    scaled(rowAt(y), half[0], sums);
    for (let i = 1; i <= radius; i++) {
      addPair(rowAt(Math.max(0, y - i)), rowAt(Math.min(height - 1, y + i)), half[i], sums);
    }
    result.set(sums, y * width);
  }
  return result;
}

function scaled(values: Float32Array, weight: number, sums: Float64Array): void {
  for (let x = 0; x < sums.length; x++) sums[x] = weight * values[x];
}

function addPair(a: Float32Array, b: Float32Array, weight: number, sums: Float64Array): void {
  for (let x = 0; x < sums.length; x++) sums[x] += weight * (a[x] + b[x]);
}
