/**
 * Squared Euclidean distance of every pixel to the nearest pixel of value 0, in px². Pixels outside the image count as
 * far away, so an object cut by the border is not made thinner there. O(pixels).
 * Source: Felzenszwalb & Huttenlocher 2012 (lower envelope of parabolas).
 */
export function squaredDistance(mask: Uint8Array, width: number, height: number): Float32Array {
  const far = 1e9;
  const columns = new Float32Array(mask.length);
  for (let x = 0; x < width; x++) columns[x] = mask[x] ? far : 0;
  for (let i = width; i < mask.length; i++) {
    columns[i] = mask[i] ? Math.min(far, columns[i - width] + 1) : 0;
  }
  for (let i = mask.length - width - 1; i >= 0; i--) {
    if (columns[i + width] + 1 < columns[i]) columns[i] = columns[i + width] + 1;
  }
  const result = new Float32Array(mask.length);
  const apex = new Int32Array(width);
  const border = new Float64Array(width + 1);
  const value = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const d = columns[row + x];
      value[x] = d >= far ? far : d * d;
    }
    lowerEnvelope(value, width, apex, border);
    for (let x = 0, k = 0; x < width; x++) {
      while (border[k + 1] < x) k++;
      const d = x - apex[k];
      result[row + x] = d * d + value[apex[k]];
    }
  }
  return result;
}

/**
 * Gives every unlabeled pixel the label of the nearest labeled one, as far as `maxDistance` px away (center to center):
 * the Voronoi regions of the labeled objects, bounded. O(pixels).
 */
export function expandLabels(
  labels: Int32Array,
  width: number,
  height: number,
  maxDistance: number,
): Int32Array {
  const far = 1e9;
  const limit = maxDistance * maxDistance;
  const distance = new Float32Array(labels.length);
  const nearest = new Int32Array(labels.length);
  for (let x = 0; x < width; x++) {
    let last = -1;
    for (let y = 0; y < height; y++) {
      const i = y * width + x;
      if (labels[i]) last = y;
      distance[i] = last < 0 ? far : (y - last) ** 2;
      nearest[i] = last < 0 ? 0 : labels[last * width + x];
    }
    last = -1;
    for (let y = height - 1; y >= 0; y--) {
      const i = y * width + x;
      if (labels[i]) last = y;
      if (last >= 0 && (last - y) ** 2 < distance[i]) {
        distance[i] = (last - y) ** 2;
        nearest[i] = labels[last * width + x];
      }
    }
  }
  const result = new Int32Array(labels.length);
  const apex = new Int32Array(width);
  const border = new Float64Array(width + 1);
  const value = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) value[x] = distance[row + x];
    lowerEnvelope(value, width, apex, border);
    for (let x = 0, k = 0; x < width; x++) {
      while (border[k + 1] < x) k++;
      const d = x - apex[k];
      if (d * d + value[apex[k]] <= limit) result[row + x] = nearest[row + apex[k]];
    }
  }
  return result;
}

/** Lower envelope of the parabolas (x − q)² + value[q]: apex[k] rules between border[k] and border[k + 1]. */
function lowerEnvelope(
  value: Float64Array,
  length: number,
  apex: Int32Array,
  border: Float64Array,
): void {
  let k = 0;
  apex[0] = 0;
  border[0] = -Infinity;
  border[1] = Infinity;
  for (let q = 1; q < length; q++) {
    // Parabolas that q overtakes before their own reign begins are dropped; the first never is.
    let s = meeting(value, apex[k], q);
    while (k > 0 && s <= border[k]) s = meeting(value, apex[--k], q);
    k++;
    apex[k] = q;
    border[k] = s;
    border[k + 1] = Infinity;
  }
}

/** Where the parabola of q becomes the lower one, right of v. */
function meeting(value: Float64Array, v: number, q: number): number {
  return (value[q] - value[v] + q * q - v * v) / (2 * (q - v));
}
