import type { NearTissue } from "./near-tissue.ts";
import { RECEPTIVE_PX } from "../../nuclei/nucleus-network.ts";

/** Grid used to detect nuclei: image pixels resampled to about 0.5 µm. */
export interface WorkingGrid {
  widthPx: number;
  heightPx: number;
  umPerPx: number;
  /** Image pixels per working pixel; 16 working pixels are a whole number of image pixels. */
  step: number;
}

/** A rectangle of the working grid, px. */
export interface WorkingRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Tile {
  /** The part that it is responsible for. */
  core: WorkingRect;
  /** The part that it has to read. */
  outer: WorkingRect;
  /** Whether to look for cells in it; on bare glass only brightness is measured. */
  hasTissue: boolean;
}

/** Tile borders fall on multiples of this, so that every tile resamples the image at the same positions. */
export const GRID_PX = 16;

/** Maximum halo around a tile's core for nuclei that are found, px. */
export const HALO_PX = 160;

/** How far a nucleus that starts in the core, with the cell grown around it, extends beyond the core. */
const REACH_UM = 22;

/** Halo for the network, which needs RECEPTIVE_PX around every pixel of a nucleus. */
export function networkHalo(umPerPx: number): number {
  const halo = Math.ceil((RECEPTIVE_PX + REACH_UM / umPerPx) / GRID_PX) * GRID_PX;
  return Math.min(HALO_PX, halo);
}

/**
 * Scale at which to detect nuclei, µm per pixel: the image's own, within the range that the network was trained for. A
 * coarser image is enlarged, a finer one reduced.
 */
export function workingScale(
  ownUmPerPx: number,
  { workingUmPerPx, fineUmPerPx }: { workingUmPerPx: number; fineUmPerPx: number },
): number {
  return Math.min(workingUmPerPx, Math.max(fineUmPerPx, ownUmPerPx));
}

/** Chooses the working scale closest to `targetUm` at which tiles start on whole image pixels. */
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

/** Cuts the grid into tiles of about `tilePx`, all nearly the same size. Tiles without tissue have no halo. */
export function planTiles(
  grid: Pick<WorkingGrid, "widthPx" | "heightPx">,
  tilePx: number,
  near: NearTissue,
  haloPx: number = HALO_PX,
): Tile[] {
  const columns = cuts(grid.widthPx, tilePx);
  const rows = cuts(grid.heightPx, tilePx);
  const tiles: Tile[] = [];
  for (let r = 0; r + 1 < rows.length; r++) {
    for (let c = 0; c + 1 < columns.length; c++) {
      const [x0, x1, y0, y1] = [columns[c], columns[c + 1], rows[r], rows[r + 1]];
      const hasTissue = near.meets({
        x0: x0 / grid.widthPx,
        y0: y0 / grid.heightPx,
        x1: x1 / grid.widthPx,
        y1: y1 / grid.heightPx,
      });
      const halo = hasTissue ? haloPx : 0;
      const [x, y] = [Math.max(0, x0 - halo), Math.max(0, y0 - halo)];
      const width = Math.min(grid.widthPx, x1 + halo) - x;
      const height = Math.min(grid.heightPx, y1 + halo) - y;
      const core = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
      tiles.push({ core, outer: { x, y, width, height }, hasTissue });
    }
  }
  return tiles;
}

/** 0, …, size in steps of about `tilePx` that are multiples of GRID_PX. */
function cuts(size: number, tilePx: number): number[] {
  const count = Math.max(1, Math.ceil(size / tilePx));
  const step = Math.ceil(size / count / GRID_PX) * GRID_PX;
  const result: number[] = [];
  for (let at = 0; at < size; at += step) result.push(at);
  return [...result, size];
}
