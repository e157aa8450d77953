import { move, transferableSymbol, valueSymbol } from "piscina";
import type { StainModel } from "../../facts.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { analyseTile, type TileCells } from "./analyse-tile.ts";
import { findNuclei } from "./find-nuclei.ts";
import { labelGivenCells, type CellSource } from "./space-ranger-cells.ts";
import { readStainPlanes } from "./stain-planes.ts";
import type { Tile, WorkingGrid } from "./tile-plan.ts";

export interface TileTask {
  image: string;
  stain: StainModel;
  grid: WorkingGrid;
  tile: Tile;
  finder: CellSource;
  maxExpansionUm: number;
}

let opened: { path: string; image: Promise<TissueImage> } | null = null;

/** Runs in a worker thread, which keeps its own handle on the image and the network from tile to tile. */
export default async function segmentTile(task: TileTask): Promise<TileCells> {
  if (opened?.path !== task.image) {
    opened = { path: task.image, image: openTissueImage(task.image) };
  }
  const image = await opened.image;
  const { tile, grid } = task;
  const stains = await readStainPlanes(image, task.stain, grid, {
    x: tile.outerX,
    y: tile.outerY,
    width: tile.outerWidth,
    height: tile.outerHeight,
  });
  const { outerWidth, outerHeight } = tile;
  const { finder } = task;
  const nuclei =
    finder.method === "space_ranger"
      ? labelGivenCells(finder.cells, tile)
      : await findNuclei(finder, stains, outerWidth, outerHeight, grid.umPerPx);
  const cells = analyseTile(stains, nuclei, tile, {
    maxExpansionUm: task.maxExpansionUm,
    umPerPx: grid.umPerPx,
  });
  const buffers = Object.values(cells).flatMap((value: unknown) =>
    ArrayBuffer.isView(value) ? [value.buffer] : [],
  );
  // Moved, not copied: piscina takes both symbols off and hands over the buffers.
  return move({
    [transferableSymbol]: buffers,
    [valueSymbol]: cells,
  }) as unknown as TileCells;
}
