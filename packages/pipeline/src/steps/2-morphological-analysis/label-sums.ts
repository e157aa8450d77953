import { inStretches } from "@stipple/numerics/in-stretches";

/** Pixels of labeled objects, in row order. */
export interface LabeledPixels {
  /** Index of each pixel in the image. */
  at: Int32Array;
  label: Int32Array;
}

/** Sums over each object's pixels, by its label. */
export interface LabelSums {
  sum: Float64Array;
  squares: Float64Array;
}

/** Pixels of the objects in `wanted`, skipping those that are labeled in `except`. O(pixels). */
export function pixelsOf(
  labels: Int32Array,
  except: Int32Array | null,
  wanted: Uint8Array,
): LabeledPixels {
  let n = 0;
  inStretches(labels.length, (from, to) => (n += countIn(labels, except, wanted, from, to)));
  const pixels = { at: new Int32Array(n), label: new Int32Array(n) };
  let filled = 0;
  inStretches(labels.length, (from, to) => {
    filled = listIn(labels, except, wanted, from, to, pixels, filled);
  });
  return pixels;
}

function isIn(
  labels: Int32Array,
  except: Int32Array | null,
  wanted: Uint8Array,
  p: number,
): boolean {
  return wanted[labels[p]] !== 0 && (except === null || except[p] === 0);
}

function countIn(
  labels: Int32Array,
  except: Int32Array | null,
  wanted: Uint8Array,
  from: number,
  to: number,
): number {
  let n = 0;
  for (let p = from; p < to; p++) if (isIn(labels, except, wanted, p)) n++;
  return n;
}

/** Appends a range's pixels after the first `filled` and returns the new count. */
function listIn(
  labels: Int32Array,
  except: Int32Array | null,
  wanted: Uint8Array,
  from: number,
  to: number,
  pixels: LabeledPixels,
  filled: number,
): number {
  for (let p = from; p < to; p++) {
    if (!isIn(labels, except, wanted, p)) continue;
    pixels.at[filled] = p;
    pixels.label[filled++] = labels[p];
  }
  return filled;
}

/** Zero sums for objects 1 … count; index 0 is the background. */
export function emptySums(count: number): LabelSums {
  return { sum: new Float64Array(count + 1), squares: new Float64Array(count + 1) };
}

/** Sums of a plane over objects 1 … count. O(pixels). */
export function sumsOver(plane: Float32Array, pixels: LabeledPixels, count: number): LabelSums {
  const sums = emptySums(count);
  inStretches(pixels.at.length, (from, to) => addStretch(sums, plane, pixels, from, to));
  return sums;
}

function addStretch(
  { sum, squares }: LabelSums,
  plane: Float32Array,
  { at, label }: LabeledPixels,
  from: number,
  to: number,
): void {
  for (let j = from; j < to; j++) {
    const value = plane[at[j]];
    sum[label[j]] += value;
    squares[label[j]] += value * value;
  }
}

export const meanOf = (sums: LabelSums, k: number, n: number): number => sums.sum[k] / n;
export const sdOf = (sums: LabelSums, k: number, n: number): number =>
  Math.sqrt(Math.max(0, sums.squares[k] / n - (sums.sum[k] / n) ** 2));
