import type { Matrix } from "../../../fields.ts";
import { Random } from "../../../numerics/random.ts";

/** Half a side of the square that cells start in. */
const HALF_SIDE = 10;
/** What keeps cells with the same components apart. */
const JITTER = 1e-4;

/** Where cells are before they settle: their first two components, made to fit and jittered → nCells × 2. */
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
