import { CANDIDATES, CONFIRMATION } from "../model/constants.ts";

const { MIN_MARKERS } = CANDIDATES;
const { SHARE_OF_TYPE: SHARE, SPREAD, MIN_RAISE, MIN_CONFIRMED } = CONFIRMATION;
const { RAISES, LOWEST, HIGHEST, ELSEWHERE, TOGETHER } = CONFIRMATION;

/** Whether a marker whose log rate is raised by this much is confirmed. */
export function isUp(raise: number): boolean {
  return raise > Math.log(MIN_RAISE);
}

/** Whether enough of a type's markers are confirmed, given the raises of all. */
export function isConfirmed(raises: readonly number[]): boolean {
  const up = raises.filter(isUp).length;
  return up >= MIN_MARKERS && up >= MIN_CONFIRMED * raises.length;
}

/**
 * Log odds that a component shows a type, given the raises of the type's markers in it, each of which a cell of the type
 * expresses with a certain probability. The odds are averaged over possible raises.
 */
export function oddsOfType(raises: readonly number[]): number {
  const bounded = raises.map((value) => Math.min(HIGHEST, Math.max(LOWEST, value)));
  const ways = RAISES.map((raise) => {
    const slope = (raise - ELSEWHERE) / SPREAD ** 2;
    const odds = bounded.reduce((sum, value) => {
      const one = slope * (value - (raise + ELSEWHERE) / 2);
      return sum + Math.log(1 - SHARE + SHARE * Math.exp(one));
    }, 0);
    return odds * raises.length ** (TOGETHER - 1);
  });
  return Math.log(ways.reduce((sum, odds) => sum + Math.exp(odds), 0) / ways.length);
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
