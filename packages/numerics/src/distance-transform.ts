import { release } from "./release.ts";

/**
 * Squared Euclidean distance of every pixel to the nearest pixel of value 0, in px². Pixels outside the image count as
 * far away, so an object cut off by the border does not get thinner there. O(pixels). Source: Felzenszwalb &
 * Huttenlocher 2012 (lower envelope of parabolas).
 */
export function squaredDistanceTransform(
  mask: Uint8Array,
  width: number,
  height: number,
): Float32Array {
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
  const column = Int32Array.from({ length: width }, (_, x) => x);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const d = columns[row + x];
      value[x] = d >= far ? far : d * d;
    }
    envelope(column, value, width, apex, border);
    for (let x = 0, k = 0; x < width; x++) {
      while (border[k + 1] < x) k++;
      const d = x - apex[k];
      result[row + x] = d * d + value[apex[k]];
    }
  }
  return result;
}

/** Marks a column in which no label has been seen yet. */
const NO_ROW = -1;

/**
 * Gives every unlabeled pixel the label of the nearest labeled one within `maxDistance` px (center to center): the
 * bounded Voronoi regions of the labeled objects. At most 32,767 rows. O(pixels).
 */
export function expandLabels(
  labels: Int32Array,
  width: number,
  height: number,
  maxDistance: number,
): Int32Array {
  const limit = maxDistance * maxDistance;
  // Row of the nearest label at or above each pixel; going column by column would miss the cache at every step.
  const above = new Int16Array(labels.length);
  const last = new Int16Array(width).fill(NO_ROW);
  for (let y = 0; y < height; y++) putAbove(above, last, labels, y);
  const search: Search = {
    ...{ labels, above, last, limit },
    apex: new Int32Array(width),
    border: new Float64Array(width + 1),
    value: new Float64Array(width),
    column: new Int32Array(width),
    nearest: new Int32Array(width),
  };
  const result = new Int32Array(labels.length);
  last.fill(NO_ROW);
  for (let y = height - 1; y >= 0; y--) expandRow(result, search, y);
  release(above);
  return result;
}

/** Memory of {@link expandLabels}, which goes up the rows. */
interface Search {
  labels: Int32Array;
  above: Int16Array;
  /** Row of the nearest label at or below, by column. */
  last: Int16Array;
  limit: number;
  apex: Int32Array;
  border: Float64Array;
  /** Columns with a label close enough, the row of that label, and the squared distance to it. */
  column: Int32Array;
  nearest: Int32Array;
  value: Float64Array;
}

function putAbove(above: Int16Array, last: Int16Array, labels: Int32Array, y: number): void {
  const width = last.length;
  for (let x = 0, i = y * width; x < width; x++, i++) {
    if (labels[i] !== 0) last[x] = y;
    above[i] = last[x];
  }
}

/** One row at a time: see `inStretches`. */
function expandRow(
  result: Int32Array,
  { labels, above, last, limit, apex, border, column, nearest, value }: Search,
  y: number,
): void {
  const width = last.length;
  const row = y * width;
  let near = 0;
  for (let x = 0; x < width; x++) {
    const i = row + x;
    if (labels[i] !== 0) last[x] = y;
    let from: number = above[i];
    let distance = from === NO_ROW ? Infinity : (y - from) ** 2;
    if (last[x] !== NO_ROW && (last[x] - y) ** 2 < distance) {
      from = last[x];
      distance = (from - y) ** 2;
    }
    if (distance > limit) continue;
    column[near] = x;
    nearest[near] = from;
    value[near++] = distance;
  }
  if (near === 0) return;
  envelope(column, value, near, apex, border);
  for (let x = 0, k = 0; x < width; x++) {
    while (border[k + 1] < x) k++;
    const at = apex[k];
    const d = x - column[at];
    if (d * d + value[at] <= limit) result[row + x] = labels[nearest[at] * width + column[at]];
  }
}

/**
 * Lower envelope of the parabolas (x − column[q])² + value[q]: apex[k] is lowest between border[k] and border[k + 1].
 */
function envelope(
  column: Int32Array,
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
    // Drop parabolas that q overtakes before their own interval begins; the first one is never dropped.
    let s = meeting(column, value, apex[k], q);
    while (k > 0 && s <= border[k]) s = meeting(column, value, apex[--k], q);
    k++;
    apex[k] = q;
    border[k] = s;
    border[k + 1] = Infinity;
  }
}

/** x beyond which the parabola of q lies below that of v. */
function meeting(column: Int32Array, value: Float64Array, v: number, q: number): number {
  const a = column[v];
  const b = column[q];
  return (value[q] - value[v] + b * b - a * a) / (2 * (b - a));
}
