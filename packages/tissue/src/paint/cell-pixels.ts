import type { Cells } from "../anatomy/place-cells.ts";

/** Maximum distance from a cell's center to anything painted for it, µm. */
const REACH_UM = 26;

/** Finds the cells near given rows of the image. */
export class CellRows {
  readonly #cells: Cells;
  readonly #order: Uint32Array;

  constructor(cells: Cells) {
    this.#cells = cells;
    this.#order = Uint32Array.from({ length: cells.count }, (_, cell) => cell).sort(
      (a, b) => cells.y[a] - cells.y[b],
    );
  }

  /** Cells that may paint between two heights (µm), based on the height of their center. */
  near(topUm: number, bottomUm: number): number[] {
    const result: number[] = [];
    for (const cell of this.#order) {
      const y = this.#cells.y[cell];
      if (y > bottomUm + REACH_UM) break;
      if (y >= topUm - REACH_UM) result.push(cell);
    }
    return result;
  }
}

/**
 * Calls `visit` for the pixels of a cell's bounding box that lie in the given image rows, with their
 * coordinates along the cell's axes in µm.
 */
export function eachCellPixel(
  cells: Cells,
  cell: number,
  view: { top: number; rows: number; width: number },
  umPerPx: number,
  marginUm: number,
  visit: (pixel: number, u: number, v: number) => void,
): void {
  const cx = cells.x[cell] / umPerPx;
  const cy = cells.y[cell] / umPerPx - view.top;
  const cos = Math.cos(cells.angle[cell]);
  const sin = Math.sin(cells.angle[cell]);
  const a = (cells.major[cell] * 1.15 + marginUm) / umPerPx;
  const b = (cells.minor[cell] * 1.15 + marginUm) / umPerPx;
  const reachX = Math.hypot(a * cos, b * sin);
  const reachY = Math.hypot(a * sin, b * cos);
  const y0 = Math.max(0, Math.ceil(cy - reachY));
  const y1 = Math.min(view.rows - 1, Math.floor(cy + reachY));
  const x0 = Math.max(0, Math.ceil(cx - reachX));
  const x1 = Math.min(view.width - 1, Math.floor(cx + reachX));
  for (let y = y0; y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const dx = (x - cx) * umPerPx;
      const dy = (y - cy) * umPerPx;
      visit(y * view.width + x, dx * cos + dy * sin, dy * cos - dx * sin);
    }
  }
}
