/** Rings in the layout that the drawing library reads without looking at single cells: ring i begins at vertex `startIndices[i]` and repeats its first vertex at the end. */
export interface PolygonSubset {
  length: number;
  startIndices: Uint32Array;
  /** x, y of each vertex. */
  xy: Float32Array;
  /** Red, green, blue, alpha of each vertex. */
  rgba: Uint8Array;
}

/**
 * Outlines of the chosen `cells` that are drawn (alpha above 0) and have at least three corners.
 * `offsets` (nCells + 1) and `xy` are all cells' rings without the repeated point; `factor` scales them.
 */
export function polygonSubset(
  cells: Uint32Array,
  offsets: Uint32Array,
  xy: Float32Array,
  factor: number,
  cellRgba: Uint8Array,
): PolygonSubset {
  const drawn = cells.filter(
    (cell) => cellRgba[4 * cell + 3]! > 0 && offsets[cell + 1]! - offsets[cell]! >= 3,
  );
  let vertices = 0;
  for (const cell of drawn) vertices += offsets[cell + 1]! - offsets[cell]! + 1;
  const out: PolygonSubset = {
    length: drawn.length,
    startIndices: new Uint32Array(drawn.length + 1),
    xy: new Float32Array(vertices * 2),
    rgba: new Uint8Array(vertices * 4),
  };
  let vertex = 0;
  drawn.forEach((cell, ring) => {
    out.startIndices[ring] = vertex;
    const start = offsets[cell]!;
    const end = offsets[cell + 1]!;
    const color = cellRgba.subarray(4 * cell, 4 * cell + 4);
    for (let corner = start; corner <= end; corner++) {
      const from = corner === end ? start : corner;
      out.xy[2 * vertex] = xy[2 * from]! * factor;
      out.xy[2 * vertex + 1] = xy[2 * from + 1]! * factor;
      out.rgba.set(color, 4 * vertex);
      vertex += 1;
    }
  });
  out.startIndices[drawn.length] = vertex;
  return out;
}
