import { InputError } from "../../errors.ts";
import type { Positions } from "../sample.ts";
import type { LatticeFit, Spots } from "./fit-lattice.ts";

/** Spots off the array that are mistakes of single positions, as a fraction; more mean that it is not regular. */
const FEW = 0.005;
/** With fewer spots, a lattice can follow a stray one. */
const MIN_SPOTS = 20;

/**
 * Throws {@link InputError} if a few spots are more than half a pitch from their place on an array that all others fit:
 * instruments place whole arrays, so these positions were damaged, or changed by hand. O(spots).
 */
export function requireNoStrays(
  fit: LatticeFit,
  pitch: number,
  spots: Spots & Partial<Pick<Positions, "barcode">>,
  file: string,
  noun = "spot",
): void {
  const { arrayRow, arrayCol, x, y, barcode } = spots;
  if (x.length < MIN_SPOTS) return;
  const strays: number[] = [];
  for (let i = 0; i < x.length; i++) {
    const [row, col] = [arrayRow[i], arrayCol[i]];
    const off = Math.hypot(
      fit.origin[0] + fit.row[0] * row + fit.col[0] * col - x[i],
      fit.origin[1] + fit.row[1] * row + fit.col[1] * col - y[i],
    );
    if (off > pitch / 2) strays.push(i);
  }
  const first = strays[0];
  if (first === undefined || strays.length > Math.max(2, FEW * x.length)) return;
  const name = barcode?.[first] ?? `at row ${arrayRow[first]} and column ${arrayCol[first]}`;
  throw new InputError(
    `${file} puts the ${noun} ${name} far from its place in the array, unlike the other ${x.length - strays.length}: the file was damaged or changed; copy or upload the original again.`,
  );
}
