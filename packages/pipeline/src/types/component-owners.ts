import { oddsOf, SHARE_OF_TYPE } from "./raise-odds.ts";

/** Standard deviation of the markers' log rates around the mean of their type. */
const SPREAD = 0.5;
/** A marker is confirmed if its rate in the type is this many times that in all other cells (more for a rare type). */
const MIN_RAISE = 1.5;
/** Types with a smaller fraction of confirmed markers, or fewer of them, are absent. */
export const MIN_CONFIRMED = 0.6;
const MIN_MARKERS = 3;

/** Whether a marker whose log rate is raised by this much is confirmed. */
export function isUp(raise: number): boolean {
  return raise > Math.log(MIN_RAISE);
}

/** Whether at least a fraction `least` of a type's markers is confirmed, given the raises of all. */
export function isConfirmed(raises: readonly number[], least = MIN_CONFIRMED): boolean {
  const up = raises.filter(isUp).length;
  return up >= MIN_MARKERS && up >= least * raises.length;
}

/** Log odds that a component shows a type, given the raises of the type's markers in it. */
export function oddsOfType(raises: readonly number[]): number {
  return oddsOf(raises, SHARE_OF_TYPE, SPREAD);
}

/** Sums posteriors of components (nCells × owners) by type for the given types; all others go to the last column. */
export function posteriorOfOwners(
  posterior: Float32Array,
  owners: readonly number[],
  types: readonly number[],
): Float32Array {
  const [width, outWidth] = [owners.length, types.length + 1];
  const column = owners.map((owner) => (owner < 0 ? types.length : types.indexOf(owner)));
  const out = new Float32Array((posterior.length / width) * outWidth);
  posterior.forEach((value, i) => {
    out[Math.floor(i / width) * outWidth + column[i % width]] += value;
  });
  return out;
}
