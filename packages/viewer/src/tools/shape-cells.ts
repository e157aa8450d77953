import { boxOf } from "@stipple/numerics/boxes";
import { ringStrips } from "@stipple/numerics/ring-strips";
import { cellSet, type CellSet } from "../cells/cell-set.ts";
import type { PointGrid } from "../geometry/point-grid.ts";
import type { Shape } from "../geometry/shape.ts";

/**
 * The cells in any polygon of a shape, but not in its holes. Only cells in a polygon's box are compared with it.
 * @param grid of the positions
 */
export function cellsInShape(positions: Float32Array, grid: PointGrid, shape: Shape): CellSet {
  const bits = new Uint8Array(Math.ceil(positions.length / 16));
  let count = 0;
  for (const rings of shape) {
    const { holds } = ringStrips(rings);
    const { left, right, top, bottom } = boxOf(rings[0]!);
    grid.each({ minX: left, maxX: right, minY: top, maxY: bottom }, (cell) => {
      const bit = 1 << (cell & 7);
      if ((bits[cell >> 3]! & bit) !== 0) return;
      if (!holds(positions[2 * cell]!, positions[2 * cell + 1]!)) return;
      bits[cell >> 3]! |= bit;
      count += 1;
    });
  }
  return { bits, count };
}

/** The cells that a drawn ring winds around, however its line crosses itself: overlapping ends leave no hole. */
export function cellsInRing(positions: Float32Array, ring: Float64Array): CellSet {
  const { holds } = ringStrips([ring], "nonzero");
  return cellSet(positions.length / 2, (cell) =>
    holds(positions[2 * cell]!, positions[2 * cell + 1]!),
  );
}
