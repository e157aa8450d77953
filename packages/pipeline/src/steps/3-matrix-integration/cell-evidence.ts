import { CELL_EVIDENCE } from "@stipple/contract";
import KDBush from "kdbush";
import type { AlignmentScale } from "../../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";

const MEASURED = CELL_EVIDENCE.indexOf("measured");
const INFERRED = CELL_EVIDENCE.indexOf("inferred");
const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");

/** Bins are closer together than cells are wide, so the bin distance alone would be too short. */
const MIN_REACH_UM = 20;

/**
 * Maximum distance from a spot's center at which a cell can be inferred from it: a multiple of the spot
 * distance, at least 20 µm.
 */
export function reachUm({ pitchUm }: Pick<AlignmentScale, "pitchUm">, reach = 1): number {
  return Math.max(MIN_REACH_UM, reach * pitchUm);
}

/** The evidence for each cell's expression, as an index into CELL_EVIDENCE. O(cells · log spots). */
export function cellEvidence(
  observed: Uint8Array,
  cellXy: Matrix,
  spots: Matrix,
  inTissue: Uint8Array,
  scale: Pick<AlignmentScale, "pitchUm" | "micronsPerPixel">,
  distances = 1,
): Uint8Array<ArrayBuffer> {
  const used: number[] = [];
  for (let s = 0; s < spots.nRows; s++) if (inTissue[s]) used.push(s);
  const index = new KDBush(Math.max(1, used.length));
  for (const s of used) index.add(spots.data[2 * s], spots.data[2 * s + 1]);
  if (used.length === 0) index.add(Infinity, Infinity);
  index.finish();
  const reach = reachUm(scale, distances) / scale.micronsPerPixel;
  return Uint8Array.from(observed, (touched, c) => {
    if (touched) return MEASURED;
    const near = index.within(cellXy.data[2 * c], cellXy.data[2 * c + 1], reach);
    return near.length > 0 ? INFERRED : BEYOND_REACH;
  });
}
