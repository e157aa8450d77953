import type { Positions } from "../../readers/sample.ts";

/** Places of the spots in tissue, full-resolution px. */
export function inTissueOf(positions: Positions): { x: Float64Array; y: Float64Array } {
  const isIn = (_: number, i: number): boolean => positions.inTissue[i] === 1;
  return { x: positions.x.filter(isIn), y: positions.y.filter(isIn) };
}
