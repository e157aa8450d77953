import { matchByCenter } from "@stipple/tissue/metrics/detection";
import type { MeasuredSection } from "./section.ts";

/** Found and measured cells match within this distance. */
const MATCH_UM = 6;

/** Which part of the section is judged: rules are chosen on the left half, and the right half is only looked at. */
export type Half = "left" | "right" | "all";

/** The measured cells of a part of a section, and the found cell that matches each, or −1. */
export interface MatchedCells {
  judged: number[];
  /** Their centers, px. */
  px: Float64Array;
  matched: Int32Array;
}

/** @param found nCells × 2, px */
export function matchSection(
  section: MeasuredSection,
  found: ArrayLike<number>,
  half: Half,
): MatchedCells {
  const { xy, type } = section.cells;
  const judged = [...type.keys()].filter((cell) => {
    const left = xy[2 * cell] < section.widthUm / 2;
    return half === "all" || left === (half === "left");
  });
  const px = Float64Array.from(judged.flatMap((c) => [xy[2 * c], xy[2 * c + 1]])).map(
    (um) => um / section.umPerPx,
  );
  return { judged, px, matched: matchByCenter(px, found, MATCH_UM / section.umPerPx) };
}
