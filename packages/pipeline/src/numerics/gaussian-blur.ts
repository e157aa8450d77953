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
  const rows = new Float32Array(source.length);
  const padded = new Float32Array(width + 2 * radius);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    padded.fill(source[row], 0, radius);
    padded.set(source.subarray(row, row + width), radius);
    padded.fill(source[row + width - 1], radius + width);
    for (let x = 0; x < width; x++) {
      const centre = x + radius;
      let sum = half[0] * padded[centre];
      for (let i = 1; i <= radius; i++) sum += half[i] * (padded[centre - i] + padded[centre + i]);
      rows[row + x] = sum;
    }
  }
  const result = new Float32Array(source.length);
  const above = new Int32Array(radius + 1);
  const below = new Int32Array(radius + 1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let i = 1; i <= radius; i++) {
      above[i] = Math.max(0, y - i) * width;
      below[i] = Math.min(height - 1, y + i) * width;
    }
    for (let x = 0; x < width; x++) {
      let sum = half[0] * rows[row + x];
      for (let i = 1; i <= radius; i++) sum += half[i] * (rows[above[i] + x] + rows[below[i] + x]);
      result[row + x] = sum;
    }
  }
  return result;
}
