/** Sum over the columns `left` ≤ x < `right` of the rows `top` ≤ y < `bottom`. */
export type AreaSums = (left: number, top: number, right: number, bottom: number) => number;

/** Sums over rectangles of a grid, each O(1) from a summed-area table, which takes O(values). */
export function areaSums(values: ArrayLike<number>, width: number, height: number): AreaSums {
  const across = width + 1;
  const sums = new Float64Array(across * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += values[y * width + x];
      sums[(y + 1) * across + x + 1] = sums[y * across + x + 1] + row;
    }
  }
  return (left, top, right, bottom) =>
    sums[bottom * across + right] -
    sums[top * across + right] -
    sums[bottom * across + left] +
    sums[top * across + left];
}

/** Means over square windows with side 2 · radius + 1, clipped at the borders. O(values). */
export function windowMeans(
  values: ArrayLike<number>,
  width: number,
  height: number,
  radius: number,
): Float64Array {
  const sumOf = areaSums(values, width, height);
  const means = new Float64Array(values.length);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      means[y * width + x] = sumOf(left, top, right, bottom) / ((right - left) * (bottom - top));
    }
  }
  return means;
}
