/** Pixels of labeled objects, in the order of rows. */
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

/** The labeled pixels of the objects in `wanted`, leaving out those where `except` is labeled. O(pixels). */
export function pixelsOf(
  labels: Int32Array,
  except: Int32Array | null,
  wanted: Uint8Array,
): LabeledPixels {
  const isIn = (p: number): boolean =>
    wanted[labels[p]] !== 0 && (except === null || except[p] === 0);
  let n = 0;
  for (let p = 0; p < labels.length; p++) if (isIn(p)) n++;
  const pixels = { at: new Int32Array(n), label: new Int32Array(n) };
  for (let p = 0, j = 0; p < labels.length; p++) {
    if (!isIn(p)) continue;
    pixels.at[j] = p;
    pixels.label[j++] = labels[p];
  }
  return pixels;
}

export function emptySums(count: number): LabelSums {
  return { sum: new Float64Array(count + 1), squares: new Float64Array(count + 1) };
}

/** Sums of a plane over objects 1 … count. O(pixels). */
export function sumsOver(plane: Float32Array, pixels: LabeledPixels, count: number): LabelSums {
  const { at, label } = pixels;
  const { sum, squares } = emptySums(count);
  for (let j = 0; j < at.length; j++) {
    const value = plane[at[j]];
    sum[label[j]] += value;
    squares[label[j]] += value * value;
  }
  return { sum, squares };
}

export const meanOf = (sums: LabelSums, k: number, n: number): number => sums.sum[k] / n;
export const sdOf = (sums: LabelSums, k: number, n: number): number =>
  Math.sqrt(Math.max(0, sums.squares[k] / n - (sums.sum[k] / n) ** 2));
