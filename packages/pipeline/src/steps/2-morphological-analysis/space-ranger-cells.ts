import type { Polygons } from "@stipple/numerics/matrices";
import { fillRing } from "@stipple/numerics/fill-ring";
import { boxOf } from "@stipple/numerics/boxes";
import { ringOf } from "@stipple/numerics/rings";
import type { NucleusFinder } from "./find-nuclei.ts";
import type { Nuclei } from "./nuclei.ts";
import { GRID_PX, HALO_PX, type Tile, type WorkingGrid, type WorkingRect } from "./tile-plan.ts";

/** Source of a tile's nuclei: detected in the image, or given. */
export type CellSource = NucleusFinder | { method: "space_ranger" | "given"; cells: GivenCells };

/** Outlines from another segmentation, in working pixels and in memory shared between threads. */
export interface GivenCells {
  nuclei: Polygons;
  /** Null: cells are to be grown around the nuclei. */
  cells: Polygons | null;
}

/**
 * Converts outlines to working pixels (`toFull` full-resolution pixels each) of a grid, in memory shared between threads.
 * What reaches over the edge of the image ends there.
 */
export function givenCells(
  { nuclei, cells }: { nuclei: Polygons; cells: Polygons | null },
  toFull: number,
  grid: Pick<WorkingGrid, "widthPx" | "heightPx">,
): GivenCells {
  return { nuclei: shared(nuclei, toFull, grid), cells: cells && shared(cells, toFull, grid) };
}

/** Just inside the last pixel. */
const INSIDE = 0.01;

function shared(
  polygons: Polygons,
  toFull: number,
  { widthPx, heightPx }: Pick<WorkingGrid, "widthPx" | "heightPx">,
): Polygons {
  const offsets = new Uint32Array(new SharedArrayBuffer(polygons.offsets.byteLength));
  offsets.set(polygons.offsets);
  const xy = new Float32Array(new SharedArrayBuffer(polygons.xy.byteLength));
  for (let i = 0; i < xy.length; i++) {
    const side = i % 2 === 0 ? widthPx : heightPx;
    xy[i] = Math.max(0, Math.min(side - INSIDE, polygons.xy[i] / toFull));
  }
  return { offsets, xy } as unknown as Polygons;
}

/** Wider halos would make tiles too large; an outline more than twice as long may be missed. */
const MAX_HALO_PX = 512;

/** Halo that holds every outline whose centroid lies in a tile's core, px. O(points). */
export function outlineHalo({ nuclei, cells }: GivenCells): number {
  let longest = HALO_PX;
  for (const outlines of cells ? [nuclei, cells] : [nuclei]) {
    for (let cell = 0; cell + 1 < outlines.offsets.length; cell++) {
      const { left, top, right, bottom } = boxOf(ringOf(outlines, cell));
      longest = Math.max(longest, right - left, bottom - top);
    }
  }
  return Math.min(MAX_HALO_PX, Math.ceil(longest / GRID_PX) * GRID_PX);
}

/** Labels the given cells and nuclei in a tile, in the format of {@link findNuclei}. O(points + pixels). */
export function labelGivenCells(given: GivenCells, tile: Tile): Nuclei {
  const { width, height } = tile.outer;
  const labels = new Int32Array(width * height);
  const cells = new Int32Array(width * height);
  let count = 0;
  for (let cell = 0; cell + 1 < given.nuclei.offsets.length; cell++) {
    // A nucleus that crosses the tile's border belongs to the neighboring tile, whose halo contains all of it.
    const nucleus = ringInside(given.nuclei, cell, tile.outer);
    if (!nucleus) continue;
    const label = count + 1;
    if (fillRing(nucleus, width, height, (p) => labels[p] === 0 && (labels[p] = label)) === 0)
      continue;
    count = label;
    const outline = (given.cells && ringInside(given.cells, cell, tile.outer)) ?? nucleus;
    fillRing(outline, width, height, (p) => cells[p] === 0 && (cells[p] = label));
  }
  if (!given.cells) return { labels, count };
  // A nucleus always belongs to its own cell, even where cells overlap.
  for (let p = 0; p < labels.length; p++) if (labels[p] > 0) cells[p] = labels[p];
  return { labels, count, cells };
}

/** A ring in the pixels of a rectangle; null if it does not lie entirely inside. */
function ringInside(polygons: Polygons, index: number, rect: WorkingRect): Float32Array | null {
  const ring = ringOf(polygons, index).slice();
  for (let p = 0; p < ring.length; p += 2) {
    const [x, y] = [ring[p] - rect.x, ring[p + 1] - rect.y];
    if (x < 0 || y < 0 || x >= rect.width || y >= rect.height) return null;
    ring[p] = x;
    ring[p + 1] = y;
  }
  return ring;
}
