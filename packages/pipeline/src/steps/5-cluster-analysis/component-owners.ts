import { oddsOf, SHARE_OF_TYPE } from "./raise-odds.ts";

/** Standard deviation of log rates of markers about the mean of their type. */
const SPREAD = 0.5;
/** A marker is confirmed where its type has this many times the rate of all other cells, or more in a rare type. */
const LEAST_RAISE = 1.5;
/** Types with a smaller share of confirmed markers, or fewer of them, are not there. */
export const LEAST_CONFIRMED = 0.6;
const LEAST_MARKERS = 3;
/** … or two of three, if the type's log odds are so high. */
const LEAST_ODDS_OF_TWO = 2.5;

/** Whether a marker with this raise of its log rate is confirmed. */
export function isUp(raise: number): boolean {
  return raise > Math.log(LEAST_RAISE);
}

/**
 * Whether enough of a type's markers are confirmed, `least` of them, by the raises of all; two of three only where
 * they may do.
 */
export function isConfirmed(
  raises: readonly number[],
  twoMayDo: boolean,
  least = LEAST_CONFIRMED,
): boolean {
  const up = raises.filter(isUp).length;
  if (up < least * raises.length) return false;
  return up >= LEAST_MARKERS || (twoMayDo && up === 2 && oddsOfType(raises) >= LEAST_ODDS_OF_TWO);
}

/** Log odds that a component shows a type, by the raises of the type's markers in it. */
export function oddsOfType(raises: readonly number[]): number {
  return oddsOf(raises, SHARE_OF_TYPE, SPREAD);
}

/**
 * The type that each component shows (−1 for none), by the raises of the markers of each type (second index) in each
 * component (first index; type t had component t). It is the component's own type, or one with higher odds whose component
 * confirms the markers of both types: these are then told apart by neither, while in a mixture of two types each has a component
 * that the other's markers are absent from. A type can own several components, as its cells can have several looks.
 * The last component, that of "none", shows none. `twoMayDo` says of each component whether two of three markers are enough in it.
 */
export function ownersOf(
  raises: readonly (readonly (readonly number[])[])[],
  twoMayDo: readonly boolean[],
  least = LEAST_CONFIRMED,
): number[] {
  return raises.map((ofTypes, component) => {
    if (component === raises.length - 1) return -1;
    const hasOwn = isConfirmed(ofTypes[component], twoMayDo[component], least);
    const shown = [...ofTypes.keys()].filter(
      (type) =>
        isConfirmed(ofTypes[type], twoMayDo[component], least) &&
        (type === component ||
          !hasOwn ||
          isConfirmed(raises[type][component], twoMayDo[type], least)),
    );
    const odds = ofTypes.map(oddsOfType);
    return shown.sort((a, b) => odds[b] - odds[a])[0] ?? -1;
  });
}

/** Posteriors of the components (nCells × owners) added up for the types named, and for all others in the last column. */
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
