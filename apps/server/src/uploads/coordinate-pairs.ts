/** Polygons as answers have them, from rings with x and y alternating. */
export function coordinatePairs(
  polygons: readonly (readonly Float64Array[])[],
): [number, number][][][] {
  return polygons.map((rings) =>
    rings.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, at): [number, number] => [
        ring[2 * at],
        ring[2 * at + 1],
      ]),
    ),
  );
}
