import type { Matrix } from "@stipple/numerics/matrices";
import { fitLattice, squarePitch } from "./fit-lattice.ts";

/**
 * Maximum relative difference between the bin distance and the nominal side; beyond it the positions are not
 * trusted.
 */
const MAX_DIFFERENCE = 0.05;

/**
 * Side (px) and angle (radians, within ±π/4, from x toward y) of HD bins, from their positions (nBins × 2: x, y) and
 * array positions (nBins × 2: row, column). Squares as wide as the bin distance touch without gaps. Mirrored and
 * swapped axes give the same squares. If the positions do not form a grid, returns `nominalPx` along the image axes.
 * O(bins).
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
  // A square rotated by 90° is unchanged, so the two axis directions are averaged at four times their angles.
  const [sine, cosine] = [Math.sin, Math.cos].map((part) =>
    [fit.row, fit.col].reduce((sum, [x, y]) => sum + part(4 * Math.atan2(y, x)), 0),
  );
  // Rounding errors of the fit are no angle: bins along the axes need no turning.
  const angle = Math.round((Math.atan2(sine, cosine) / 4) * 1e9) / 1e9;
  return { sidePx, angle };
}

/** Corners of a bin around its center, closed: the first is repeated at the end. Angle as in `binGrid`. */
export function binRing(x: number, y: number, sidePx: number, angle = 0): Float64Array {
  const [u, v] = [(sidePx / 2) * Math.cos(angle), (sidePx / 2) * Math.sin(angle)];
  const [a, b] = [u - v, u + v];
  return Float64Array.of(x - a, y - b, x + b, y - a, x + a, y + b, x - b, y + a, x - a, y - b);
}
