import type { Random } from "./random.ts";

/** Up to `most` of the rows at random, without repetition, ascending. */
export function sketchOf(
  rows: Uint32Array<ArrayBuffer>,
  most: number,
  random: Random,
): Uint32Array<ArrayBuffer> {
  if (rows.length <= most) return rows;
  const shuffled = rows.slice();
  random.shuffle(shuffled);
  return shuffled.subarray(0, most).sort();
}
