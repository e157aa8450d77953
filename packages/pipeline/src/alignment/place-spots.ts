import type { AlignmentScale } from "../facts.ts";
import type { Positions, Sample } from "../readers/sample.ts";
import { moveInWords, moveSpots } from "./move-spots.ts";
import { readAlignment } from "./read-alignment.ts";

/** The sample's spots where the user's alignment puts them, or where the files have them. */
export async function placeSpots(
  { positions, scale }: Pick<Sample, "positions" | "scale">,
  alignment: string | null | undefined,
): Promise<{ positions: Positions; scale: AlignmentScale; note: string | null }> {
  if (!alignment) return { positions, scale, note: null };
  const move = await readAlignment(alignment, positions, scale.pitchUm / scale.micronsPerPixel);
  const placed = moveSpots(positions, scale, move);
  return { ...placed, note: moveInWords(move, positions, placed.scale.micronsPerPixel) };
}
