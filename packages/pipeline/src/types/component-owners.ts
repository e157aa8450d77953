import { oddsOf, SHARE_OF_TYPE } from "./raise-odds.ts";

/** Standard deviation of the markers' log rates around the mean of their type. */
const SPREAD = 0.5;
/** A marker is confirmed if its rate in the type is this many times that in all other cells (more for a rare type). */
const MIN_RAISE = 1.5;
/** Types with a smaller fraction of confirmed markers, or fewer of them, are absent. */
export const MIN_CONFIRMED = 0.6;
const MIN_MARKERS = 3;
/** Of this many markers or more, some belong to subtypes only, and half are as unlikely to be raised by chance. */
const MANY_MARKERS = 16;
const MIN_OF_MANY = 0.5;

/** Whether a marker whose log rate is raised by this much is confirmed. */
export function isUp(raise: number): boolean {
  return raise > Math.log(MIN_RAISE);
}

/** Whether at least a fraction `least` of a type's markers is confirmed, given the raises of all; half of many are enough. */
export function isConfirmed(raises: readonly number[], least = MIN_CONFIRMED): boolean {
  const up = raises.filter(isUp).length;
  const fraction = raises.length >= MANY_MARKERS ? Math.min(least, MIN_OF_MANY) : least;
  return up >= MIN_MARKERS && up >= fraction * raises.length;
}

/** Log odds that a component shows a type, given the raises of the type's markers in it. */
export function oddsOfType(raises: readonly number[]): number {
  return oddsOf(raises, SHARE_OF_TYPE, SPREAD);
}

/**
 * The type that each component shows (−1 for none), given the raises of the markers of each type (second index) in each
 * component (first index; type t had component t). This is the component's own type, or one with higher odds whose own
 * component confirms the markers of both types. In that case neither component separates the two types, whereas if both
 * types were present, each would have a component without the other's markers. A type can own several components,
 * because its cells can have several looks. The last component, "none", shows no type.
 */
export function ownersOf(
  raises: readonly (readonly (readonly number[])[])[],
  least = MIN_CONFIRMED,
): number[] {
  return raises.map((ofTypes, component) => {
    if (component === raises.length - 1) return -1;
    const hasOwn = isConfirmed(ofTypes[component], least);
    const shown = [...ofTypes.keys()].filter(
      (type) =>
        isConfirmed(ofTypes[type], least) &&
        (type === component || !hasOwn || isConfirmed(raises[type][component], least)),
    );
    const odds = ofTypes.map(oddsOfType);
    return shown.sort((a, b) => odds[b] - odds[a])[0] ?? -1;
  });
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
