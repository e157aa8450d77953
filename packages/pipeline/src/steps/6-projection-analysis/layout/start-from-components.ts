import type { Matrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";

/** Half the side length of the square of starting positions. */
const HALF_SIDE = 10;
/** Noise that separates cells with identical components. */
const JITTER = 1e-4;

/** Starting positions of the cells: their first two components, scaled to fit and jittered → nCells × 2. */
export function startFromComponents(
  { data, nRows, nCols }: Matrix<Float32Array>,
  seed: number,
): Float32Array<ArrayBuffer> {
  const start = new Float32Array(2 * nRows);
  let most = 1e-12;
  for (let i = 0; i < nRows; i++) {
    for (let c = 0; c < Math.min(2, nCols); c++) {
      start[2 * i + c] = data[i * nCols + c];
      most = Math.max(most, Math.abs(start[2 * i + c]));
    }
  }
  const random = new Random(seed);
  return start.map((value) => value * (HALF_SIDE / most) + JITTER * random.normal());
}
