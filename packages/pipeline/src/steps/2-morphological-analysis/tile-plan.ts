/** The grid that nuclei are looked for in: image pixels resampled to about 0.5 µm. */
export interface WorkingGrid {
  widthPx: number;
  heightPx: number;
  umPerPx: number;
  /** Image pixels per working pixel; 16 working pixels are a whole number of image pixels. */
  step: number;
}

/** A tile in working pixels: the part it answers for (core) and what it must see for that (outer). */
export interface Tile {
  coreX: number;
  coreY: number;
  coreWidth: number;
  coreHeight: number;
  outerX: number;
  outerY: number;
  outerWidth: number;
  outerHeight: number;
}

/** Tile borders fall on multiples of this, so that every tile resamples the image at the same places. */
export const GRID_PX = 16;

/**
 * How far a tile sees beyond its core, px. Local contrast looks 2 × 48 px around (rounded up to its squares), a nucleus
 * that starts in the core reaches up to 40 px out, its smoothing 3 more.
 */
export const HALO_PX = 160;

/** Chooses the working scale nearest to `targetUm` at which tiles begin on whole image pixels. */
export function workingGrid(
  image: { widthPx: number; heightPx: number; micronsPerPixel: number },
  targetUm: number,
): WorkingGrid {
  const step = Math.max(1, Math.round((targetUm / image.micronsPerPixel) * GRID_PX)) / GRID_PX;
  return {
    widthPx: Math.max(1, Math.floor(image.widthPx / step)),
    heightPx: Math.max(1, Math.floor(image.heightPx / step)),
    umPerPx: image.micronsPerPixel * step,
    step,
  };
}

/** Cuts the grid into tiles of about `tilePx`, all nearly the same size. */
export function planTiles(grid: Pick<WorkingGrid, "widthPx" | "heightPx">, tilePx: number): Tile[] {
  const columns = cuts(grid.widthPx, tilePx);
  const rows = cuts(grid.heightPx, tilePx);
  const tiles: Tile[] = [];
  for (let r = 0; r + 1 < rows.length; r++) {
    for (let c = 0; c + 1 < columns.length; c++) {
      const outerX = Math.max(0, columns[c] - HALO_PX);
      const outerY = Math.max(0, rows[r] - HALO_PX);
      tiles.push({
        coreX: columns[c],
        coreY: rows[r],
        coreWidth: columns[c + 1] - columns[c],
        coreHeight: rows[r + 1] - rows[r],
        outerX,
        outerY,
        outerWidth: Math.min(grid.widthPx, columns[c + 1] + HALO_PX) - outerX,
        outerHeight: Math.min(grid.heightPx, rows[r + 1] + HALO_PX) - outerY,
      });
    }
  }
  return tiles;
}

/** 0, …, size with steps of about `tilePx` that are multiples of the grid. */
function cuts(size: number, tilePx: number): number[] {
  const count = Math.max(1, Math.ceil(size / tilePx));
  const step = Math.ceil(size / count / GRID_PX) * GRID_PX;
  const result: number[] = [];
  for (let at = 0; at < size; at += step) result.push(at);
  return [...result, size];
}
