/** Gaussian blur of row-major planes, in place; edge pixels are repeated. O(pixels × radius). */
export function blur(
  planes: readonly Float32Array[],
  width: number,
  rows: number,
  sigma: number,
): void {
  const radius = Math.ceil(2.5 * sigma);
  const kernel = Float64Array.from({ length: radius + 1 }, (_, i) =>
    Math.exp(-(i * i) / (2 * sigma * sigma)),
  );
  const total = 2 * kernel.reduce((sum, value) => sum + value, 0) - kernel[0];
  for (let i = 0; i <= radius; i++) kernel[i] /= total;
  const padded = new Float32Array(width + 2 * radius);
  const between = new Float32Array(width * rows);
  for (const plane of planes) {
    for (let row = 0; row < rows; row++) {
      padded.set(plane.subarray(row * width, (row + 1) * width), radius);
      padded.fill(padded[radius], 0, radius);
      padded.fill(padded[radius + width - 1], radius + width);
      for (let column = 0; column < width; column++) {
        const center = column + radius;
        let sum = kernel[0] * padded[center];
        for (let k = 1; k <= radius; k++) {
          sum += kernel[k] * (padded[center - k] + padded[center + k]);
        }
        between[row * width + column] = sum;
      }
    }
    for (let row = 0; row < rows; row++) {
      const line = row * width;
      for (let column = 0; column < width; column++) {
        plane[line + column] = kernel[0] * between[line + column];
      }
      for (let k = 1; k <= radius; k++) {
        const above = Math.max(0, row - k) * width;
        const below = Math.min(rows - 1, row + k) * width;
        const weight = kernel[k];
        for (let column = 0; column < width; column++) {
          plane[line + column] += weight * (between[above + column] + between[below + column]);
        }
      }
    }
  }
}
