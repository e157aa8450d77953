import KDBush from "kdbush";
import type { Matrix } from "@stipple/numerics/matrices";

/** A cell that overlaps no spot is still assigned to the nearest one within this distance, or two pitches. */
const NEAREST_UM = 100;

/**
 * The spot under which each cell is reported: the one that covers most of it, else the nearest spot under
 * tissue within 100 µm or two pitches, else -1. O(cells · log spots).
 */
export function assignSpots(
  bestSpot: Int32Array,
  cellXy: Matrix,
  spots: Matrix,
  inTissue: Uint8Array,
  scale: { micronsPerPixel: number; pitchUm: number },
): Int32Array {
  const candidates: number[] = [];
  for (let s = 0; s < spots.nRows; s++) if (inTissue[s]) candidates.push(s);
  const result = bestSpot.slice();
  if (candidates.length === 0) return result;
  const index = new KDBush(candidates.length);
  for (const s of candidates) index.add(spots.data[2 * s], spots.data[2 * s + 1]);
  index.finish();
  const reach = Math.max(NEAREST_UM, 2 * scale.pitchUm) / scale.micronsPerPixel;
  for (let c = 0; c < cellXy.nRows; c++) {
    if (result[c] >= 0) continue;
    const x = cellXy.data[2 * c];
    const y = cellXy.data[2 * c + 1];
    let nearest = Infinity;
    for (const k of index.within(x, y, reach)) {
      const s = candidates[k];
      const d = (spots.data[2 * s] - x) ** 2 + (spots.data[2 * s + 1] - y) ** 2;
      if (d < nearest || (d === nearest && s < result[c])) {
        nearest = d;
        result[c] = s;
      }
    }
  }
  return result;
}
