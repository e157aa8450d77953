/** Rows of one channel, top to bottom: `rows(y, n)` returns n rows starting at row y. */
export interface RowSource {
  width: number;
  height: number;
  /** Best number of rows per read. */
  bandRows: number;
  rows(y: number, count: number): Promise<Float32Array>;
}

/** Weights of the source positions that contribute to one position of the result. */
interface Reach {
  from: number;
  weights: Float64Array;
}

/**
 * Resizes one channel: area means when shrinking, linear interpolation when enlarging. Reads the source once in
 * bands, so memory does not depend on its height. O(source pixels).
 */
export async function resizePlane(
  source: RowSource,
  outWidth: number,
  outHeight: number,
): Promise<Float32Array> {
  const columns = reaches(source.width, outWidth);
  const lines = reaches(source.height, outHeight);
  const out = new Float32Array(outWidth * outHeight);
  const narrow = new Float64Array(outWidth);
  let first = 0;
  for (let top = 0; top < source.height; top += source.bandRows) {
    const count = Math.min(source.bandRows, source.height - top);
    const band = await source.rows(top, count);
    for (let y = top; y < top + count; y++) {
      while (first < outHeight && lines[first].from + lines[first].weights.length <= y) first++;
      if (first >= outHeight || lines[first].from > y) continue;
      const at = (y - top) * source.width;
      for (let x = 0; x < outWidth; x++) {
        const { from, weights } = columns[x];
        let sum = 0;
        for (let k = 0; k < weights.length; k++) sum += weights[k] * band[at + from + k];
        narrow[x] = sum;
      }
      for (let line = first; line < outHeight && lines[line].from <= y; line++) {
        const weight = lines[line].weights[y - lines[line].from];
        if (weight === undefined) continue;
        for (let x = 0; x < outWidth; x++) out[line * outWidth + x] += weight * narrow[x];
      }
    }
  }
  return out;
}

function reaches(size: number, outSize: number): Reach[] {
  const step = size / outSize;
  return Array.from({ length: outSize }, (_, i) => {
    if (step < 1) {
      const center = Math.min(size - 1, Math.max(0, (i + 0.5) * step - 0.5));
      const from = Math.min(Math.floor(center), Math.max(0, size - 2));
      const share = center - from;
      return { from, weights: size > 1 ? Float64Array.of(1 - share, share) : Float64Array.of(1) };
    }
    const start = i * step;
    const end = Math.min(size, (i + 1) * step);
    const from = Math.floor(start + 1e-9);
    const weights = new Float64Array(Math.max(1, Math.ceil(end - 1e-9) - from));
    for (let k = 0; k < weights.length; k++) {
      weights[k] = (Math.min(end, from + k + 1) - Math.max(start, from + k)) / step;
    }
    return { from, weights };
  });
}
