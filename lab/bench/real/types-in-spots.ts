import type { MeasuredSection } from "./section.ts";

const SPOT_RADIUS_UM = 27.5;

/**
 * Number of measured cells of each kind whose centers lie in each spot, nSpots × nKinds. O(cells · spots).
 * @param spots x and y alternating, px
 */
export function typesInSpots(
  { cells: { xy, type }, umPerPx }: MeasuredSection,
  spots: ArrayLike<number>,
  kinds: readonly (string | null)[],
): Float64Array {
  const nSpots = spots.length / 2;
  const numbers = new Float64Array(nSpots * kinds.length);
  const reach = (SPOT_RADIUS_UM / umPerPx) ** 2;
  type.forEach((one, cell) => {
    const kind = kinds.indexOf(one);
    if (kind < 0) return;
    const [x, y] = [xy[2 * cell] / umPerPx, xy[2 * cell + 1] / umPerPx];
    for (let s = 0; s < nSpots; s++) {
      if ((spots[2 * s] - x) ** 2 + (spots[2 * s + 1] - y) ** 2 <= reach) {
        numbers[s * kinds.length + kind]++;
      }
    }
  });
  return numbers;
}
