import { release } from "@stipple/numerics/release";
import { defineTask, type TaskFiles } from "@stipple/tasks/task";
import type { StainModel } from "../../facts.ts";
import { analyzeTile, type TileCells } from "./analyze-tile.ts";
import { type CellSource, labelGivenCells } from "./space-ranger-cells.ts";
import type { Tile, WorkingGrid } from "./tile-plan.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { findNuclei } from "./find-nuclei.ts";
import type { Nuclei } from "./nuclei.ts";
import { readStainPlanes, type StainPlanes } from "./stain-planes.ts";

/** Input shared by all tiles of an image. Files: `image` and, for the network, its `weights`. */
export interface Slide {
  stain: StainModel;
  grid: WorkingGrid;
  finder: CellSource;
  maxExpansionUm: number;
}

let opened: { path: string; image: Promise<TissueImage> } | null = null;

/** Runs in a worker thread, which keeps its own handles to the image and the network between tiles. */
export async function cellsOfTile(slide: Slide, tile: Tile, files: TaskFiles): Promise<TileCells> {
  const path = files["image"];
  if (opened?.path !== path) opened = { path, image: openTissueImage(path) };
  const image = await opened.image;
  const { grid, stain, maxExpansionUm } = slide;
  const stains = await readStainPlanes(image, stain, grid, tile.outer);
  const nuclei = tile.hasTissue
    ? await nucleiOfTile(slide, stains, tile, files)
    : { labels: new Int32Array(tile.outer.width * tile.outer.height), count: 0 };
  const cells = analyzeTile(stains, nuclei, tile, { maxExpansionUm, umPerPx: grid.umPerPx });
  for (const plane of stains.planes) release(plane);
  if (stains.rgb) release(stains.rgb);
  release(stains.signal);
  release(nuclei.labels);
  return cells;
}

function nucleiOfTile(
  slide: Slide,
  stains: StainPlanes,
  tile: Tile,
  files: TaskFiles,
): Nuclei | Promise<Nuclei> {
  const finder =
    slide.finder.method === "network"
      ? { ...slide.finder, weights: files["weights"] }
      : slide.finder;
  return finder.method !== "network"
    ? labelGivenCells(finder.cells, tile)
    : findNuclei(finder, stains, tile.outer, slide.grid.umPerPx);
}

/** Finds and measures the cells of one tile. */
export const segmentTile = defineTask(
  import.meta.url,
  cellsOfTile,
  // The network runs native code.
  { isNative: true },
);
