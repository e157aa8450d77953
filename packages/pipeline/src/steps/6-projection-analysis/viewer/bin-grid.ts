import type { Matrix } from "../../../fields.ts";
import { fitLattice, squarePitch } from "../../../readers/lattice/fit-lattice.ts";

/** How much the bins' distance may differ from their nominal side before the positions are not believed. */
const MAX_DIFFERENCE = 0.05;

/**
 * Side (px) and angle (radians, within ±π/4, from x towards y) of the squares that HD bins are, from the bins' positions
 * (nBins × 2: x, y) and their places on the array (nBins × 2: row, column): squares of the bins' own distance touch
 * without gaps. Mirrored and swapped axes give the same squares. Where the positions are no grid, `nominalPx` along the
 * image's axes. O(bins).
 */
export function binGrid(
  xy: Matrix,
  array: Matrix<Int32Array>,
  nominalPx: number,
): { sidePx: number; angle: number } {
  const every = <T extends Int32Array | Float64Array>(
    to: T,
    from: ArrayLike<number>,
    part: 0 | 1,
  ): T => {
    for (let bin = 0; bin < to.length; bin++) to[bin] = from[2 * bin + part];
    return to;
  };
  const n = xy.nRows;
  const fit = fitLattice({
    arrayRow: every(new Int32Array(n), array.data, 0),
    arrayCol: every(new Int32Array(n), array.data, 1),
    x: every(new Float64Array(n), xy.data, 0),
    y: every(new Float64Array(n), xy.data, 1),
  });
  const sidePx = fit && squarePitch(fit);
  if (!fit || !sidePx || Math.abs(sidePx / nominalPx - 1) > MAX_DIFFERENCE) {
    return { sidePx: nominalPx, angle: 0 };
  }
  // A square turned by a quarter is itself: the mean of both axes is taken of four times their angles.
  const [sine, cosine] = [Math.sin, Math.cos].map((part) =>
    [fit.row, fit.col].reduce((sum, [x, y]) => sum + part(4 * Math.atan2(y, x)), 0),
  );
  return { sidePx, angle: Math.atan2(sine, cosine) / 4 };
}
