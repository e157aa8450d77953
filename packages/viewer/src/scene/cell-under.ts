import { MAX_OUTLINES } from "../draw/near-cells.ts";
import { isInside, outlineOf, type OutlineShape } from "../draw/outline-shape.ts";
import type { PointGrid } from "../geometry/point-grid.ts";

/** The cells as drawn; lengths in drawing units. */
export interface DrawnCells {
  grid: PointGrid;
  /** 4 × nCells; alpha 0 = not drawn. */
  rgba: Uint8Array;
  /** Outlines, if any are available. */
  outlined: OutlineShape | undefined;
  /** Maximum distance from an outlined cell's center to its edge. */
  largest: number;
  /** A cell without an outline is hit within this distance of its center. */
  reach: number;
}

/** The cell whose outline contains a point, or whose center is nearest to it; −1 for none. */
export function cellUnder(x: number, y: number, cells: DrawnCells): number {
  const { grid, rgba, outlined, largest, reach } = cells;
  const isDrawn = (cell: number) => rgba[4 * cell + 3]! > 0;
  if (outlined) {
    const around = { minX: x - largest, minY: y - largest, maxX: x + largest, maxY: y + largest };
    const under = grid.inside(around, MAX_OUTLINES).find((cell) => {
      const ring = isDrawn(cell) && outlineOf(outlined, cell);
      return ring ? isInside(ring, x, y) : false;
    });
    if (under !== undefined) return under;
  }
  return grid.nearest(x, y, reach, isDrawn);
}
