import { openSimd } from "./simd/assembler.ts";
import { TAPS_TOGETHER, weightedTaps } from "./simd/weighted-taps.ts";

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

interface BlurKernel {
  run(source: Float32Array, width: number, height: number): Float32Array<ArrayBuffer>;
}

/** One per σ that this thread has used; there are only a few. */
const kernels = new Map<number, BlurKernel>();

/**
 * Gaussian smoothing of a row-major image (width × height); edge pixels are repeated beyond the border. O(pixels · σ).
 * Returns a new image.
 */
export function gaussianBlur(
  source: Float32Array,
  width: number,
  height: number,
  sigma: number,
): Float32Array<ArrayBuffer> {
  let kernel = kernels.get(sigma);
  if (!kernel) kernels.set(sigma, (kernel = openBlur(sigma)));
  return kernel.run(source, width, height);
}

/**
 * Sums are doubles in tap order; rows are rounded to floats between the two passes. WebAssembly takes a fifth of the
 * time.
 */
function openBlur(sigma: number): BlurKernel {
  const half = halfKernel(sigma);
  const radius = half.length - 1;
  const { reserve, call } = openSimd([weightedTaps("taps", radius)]);
  const taps = call["taps"];
  return {
    run(source, width, height) {
      const result = new Float32Array(source.length);
      if (result.length === 0) return result;
      // Four at a time: the padding at the end of a row is never read.
      const whole = TAPS_TOGETHER * Math.ceil(width / TAPS_TOGETHER);
      const rowBytes = 4 * whole;
      const nRows = Math.min(height, 2 * radius + 1);
      const outAt = 8 * half.length;
      const paddedAt = outAt + rowBytes;
      // Rows, already blurred along x, that later rows still need: few enough to stay in the processor's cache.
      const rowsAt = paddedAt + rowBytes + 8 * radius;
      const room = reserve(rowsAt + nRows * rowBytes);
      new Float64Array(room, 0, half.length).set(half);
      const padded = new Float32Array(room, paddedAt, whole + 2 * radius);
      const out = new Float32Array(room, outAt, width);
      const rowAt = (y: number): number => rowsAt + (y % nRows) * rowBytes;
      const blurRow = (y: number): void => {
        const row = y * width;
        padded.fill(source[row], 0, radius);
        padded.set(source.subarray(row, row + width), radius);
        padded.fill(source[row + width - 1], radius + width, 2 * radius + width);
        const middle = paddedAt + 4 * radius;
        const places = [middle];
        for (let i = 1; i <= radius; i++) places.push(middle - 4 * i, middle + 4 * i);
        taps(rowAt(y), rowAt(y) + rowBytes, 0, ...places);
      };
      for (let y = 0, ready = 0; y < height; y++) {
        while (ready < Math.min(height, y + radius + 1)) blurRow(ready++);
        const places = [rowAt(y)];
        for (let i = 1; i <= radius; i++) {
          places.push(rowAt(Math.max(0, y - i)), rowAt(Math.min(height - 1, y + i)));
        }
        taps(outAt, outAt + rowBytes, 0, ...places);
        result.set(out, y * width);
      }
      return result;
    },
  };
}
