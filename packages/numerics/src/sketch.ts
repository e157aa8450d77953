/** Up to `most` of the rows without repetition, ascending; `shuffle` chooses which. */
export function sketchOf(
  rows: Uint32Array<ArrayBuffer>,
  most: number,
  shuffle: (items: Uint32Array) => void,
): Uint32Array<ArrayBuffer> {
  if (rows.length <= most) return rows;
  const shuffled = rows.slice();
  shuffle(shuffled);
  return shuffled.subarray(0, most).sort();
}
