import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import { fillRing } from "@stipple/numerics/fill-ring";
import type { BinGrid } from "./bin-grid.ts";

/** Reason why a bin was assigned to its cell. */
export const OWNED_BY = ["nobody", "nucleus", "cell", "nearest"] as const;

/** The cell to which each fine bin is assigned. */
export interface BinOwners {
  /** Row by row: the cell, -1 = none. */
  owner: Int32Array;
  /** Row by row: index into OWNED_BY. */
  by: Uint8Array;
}

/**
 * Assigns every fine bin whose center is in a nucleus to that nucleus's cell, other bins in a cell's outline to
 * that cell, and bins between outlines to the cell with the nearest nucleus: by the kernel exp(−d/ℓ) of the
 * bleed model, most of their counts come from it. Bins farther than `reach` from every nucleus are not
 * assigned. Cells without `may` get none. O(bins in outlines + cells · reach²).
 */
export function binOwners(
  grid: BinGrid,
  cells: { nuclei: Polygons; outlines: Polygons; xy: Matrix<Float32Array>; may: Uint8Array },
  reach: number,
): BinOwners {
  const owner = new Int32Array(grid.rows * grid.cols).fill(-1);
  const by = new Uint8Array(grid.rows * grid.cols);
  const fill = (polygons: Polygons, reason: (typeof OWNED_BY)[number]): void => {
    const code = OWNED_BY.indexOf(reason);
    for (let cell = 0; cell < cells.may.length; cell++) {
      if (!cells.may[cell]) continue;
      const [from, to] = [polygons.offsets[cell], polygons.offsets[cell + 1]];
      fillRing(grid.place(polygons.xy.subarray(2 * from, 2 * to)), grid.cols, grid.rows, (bin) => {
        if (owner[bin] >= 0) return;
        owner[bin] = cell;
        by[bin] = code;
      });
    }
  };
  fill(cells.nuclei, "nucleus");
  fill(cells.outlines, "cell");
  giveToNearest(grid, cells, reach, { owner, by });
  return { owner, by };
}

/** Bins outside all outlines go to the cell with the nearest nucleus; in a tie, to the first. */
function giveToNearest(
  grid: BinGrid,
  { xy, may }: { xy: Matrix<Float32Array>; may: Uint8Array },
  reach: number,
  { owner, by }: BinOwners,
): void {
  if (!(reach > 0)) return;
  const code = OWNED_BY.indexOf("nearest");
  const nearest = new Float32Array(owner.length).fill(reach * reach);
  const centers = grid.place(xy.data);
  for (let cell = 0; cell < may.length; cell++) {
    if (!may[cell]) continue;
    const [x, y] = [centers[2 * cell], centers[2 * cell + 1]];
    const top = Math.max(0, Math.ceil(y - reach - 0.5));
    const bottom = Math.min(grid.rows - 1, Math.floor(y + reach - 0.5));
    const left = Math.max(0, Math.ceil(x - reach - 0.5));
    const right = Math.min(grid.cols - 1, Math.floor(x + reach - 0.5));
    for (let row = top; row <= bottom; row++) {
      const down = (row + 0.5 - y) ** 2;
      for (let col = left; col <= right; col++) {
        const bin = row * grid.cols + col;
        if (owner[bin] >= 0 && by[bin] !== code) continue;
        const distance = down + (col + 0.5 - x) ** 2;
        if (distance >= nearest[bin]) continue;
        nearest[bin] = distance;
        owner[bin] = cell;
        by[bin] = code;
      }
    }
  }
}
