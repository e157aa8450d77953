import type { Tasks } from "@stipple/tasks/task";
import type { StainModel } from "../../facts.ts";
import type { Polygons } from "@stipple/numerics/matrices";
import { packRings, ringOf } from "@stipple/numerics/rings";
import type { TileCells } from "./analyze-tile.ts";
import type { NearTissue } from "./near-tissue.ts";
import { segmentTile } from "./segment-tile.ts";
import { outlineHalo, type CellSource } from "./space-ranger-cells.ts";
import { GRID_PX, networkHalo, planTiles, type Tile, type WorkingGrid } from "./tile-plan.ts";
import { QUALITY_PLANES } from "./tile-quality.ts";

/** Everything found in an image, in row order; positions in working px. */
export interface SegmentedImage {
  count: number;
  centroid: Float32Array;
  nucleusAreaUm2: Float32Array;
  cellAreaUm2: Float32Array;
  /** count × nFeatures. */
  features: Float32Array;
  nFeatures: number;
  nuclei: Polygons;
  cells: Polygons;
  /** Means of the first two planes over GRID_PX squares. */
  squares: Squares;
  /** QUALITY_PLANES of the same squares; 0 where there is no tissue. */
  quality: Squares;
}

/** Planes with one value per GRID_PX square of the grid. */
export interface Squares {
  width: number;
  height: number;
  planes: Float32Array[];
}

/**
 * Segments an image tile by tile. The result does not depend on which thread processes which tile or, except for nuclei
 * in clumps larger than a tile's halo, on the tile size. Memory: one tile per thread, plus the cells.
 */
export async function segmentImage(request: {
  path: string;
  stain: StainModel;
  grid: WorkingGrid;
  finder: CellSource;
  maxExpansionUm: number;
  tilePx: number;
  tasks: Tasks;
  /** Where to look for cells. */
  near: NearTissue;
  signal: AbortSignal;
  progress(fraction: number): void;
}): Promise<SegmentedImage> {
  const { path, stain, grid, finder, maxExpansionUm, near, signal, progress } = request;
  const halo = finder.method === "network" ? networkHalo(grid.umPerPx) : outlineHalo(finder.cells);
  const tiles = planTiles(grid, request.tilePx, near, halo);
  const weights = finder.method === "network" ? { weights: finder.weights } : {};
  const parts = await request.tasks.map(
    segmentTile,
    {
      shared: { stain, grid, finder, maxExpansionUm },
      files: { image: path, ...weights },
      inputs: tiles,
    },
    { signal, progress },
  );
  return join(parts, tiles, grid, near);
}

/** Joins the tiles' cells, ordered by strips of GRID_PX from the top and left to right within each strip. */
function join(
  parts: readonly TileCells[],
  tiles: readonly Tile[],
  grid: WorkingGrid,
  near: NearTissue,
): SegmentedImage {
  const places: { part: TileCells; row: number; strip: number; x: number; y: number }[] = [];
  for (const part of parts) {
    for (let row = 0; row < part.count; row++) {
      const x = part.centroid[2 * row];
      const y = part.centroid[2 * row + 1];
      if (near.holds(x / grid.widthPx, y / grid.heightPx))
        places.push({ part, row, strip: Math.floor(y / GRID_PX), x, y });
    }
  }
  places.sort((a, b) => a.strip - b.strip || a.x - b.x || a.y - b.y);
  const count = places.length;
  const first = parts.find((part) => part.count > 0);
  const nFeatures = first ? first.features.length / first.count : 0;
  const centroid = new Float32Array(2 * count);
  const features = new Float32Array(count * nFeatures);
  places.forEach(({ part, row, x, y }, i) => {
    centroid[2 * i] = x;
    centroid[2 * i + 1] = y;
    features.set(part.features.subarray(row * nFeatures, (row + 1) * nFeatures), i * nFeatures);
  });
  return {
    count,
    centroid,
    nucleusAreaUm2: Float32Array.from(places, ({ part, row }) => part.nucleusAreaUm2[row]),
    cellAreaUm2: Float32Array.from(places, ({ part, row }) => part.cellAreaUm2[row]),
    features,
    nFeatures,
    nuclei: joinRings(places, "nuclei"),
    cells: joinRings(places, "cells"),
    squares: joinSquares(parts, "squares", 2, tiles, grid),
    quality: joinSquares(parts, "quality", QUALITY_PLANES.length, tiles, grid),
  };
}

function joinRings(
  places: readonly { part: TileCells; row: number }[],
  of: "nuclei" | "cells",
): Polygons {
  const at = (i: number): Float32Array => ringOf(places[i].part[of], places[i].row);
  return packRings({ length: places.length, at });
}

function joinSquares(
  parts: readonly TileCells[],
  key: "squares" | "quality",
  count: number,
  tiles: readonly Tile[],
  grid: WorkingGrid,
): Squares {
  const width = Math.ceil(grid.widthPx / GRID_PX);
  const height = Math.ceil(grid.heightPx / GRID_PX);
  const planes = Array.from({ length: count }, () => new Float32Array(width * height));
  parts.forEach((part, t) => {
    const { core } = tiles[t];
    const columns = Math.ceil(core.width / GRID_PX);
    const rows = Math.ceil(core.height / GRID_PX);
    const nPlanes = part[key].length / (columns * rows);
    for (let plane = 0; plane < nPlanes; plane++) {
      for (let row = 0; row < rows; row++) {
        const from = (plane * rows + row) * columns;
        const to = (core.y / GRID_PX + row) * width + core.x / GRID_PX;
        planes[plane].set(part[key].subarray(from, from + columns), to);
      }
    }
  });
  return { width, height, planes };
}
