import type { TaskFiles } from "../../engine/tasks/task.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { analyzeTile, type TileCells } from "./analyze-tile.ts";
import { findNuclei } from "./find-nuclei.ts";
import type { Slide } from "./segment-tile.ts";
import { labelGivenCells } from "./space-ranger-cells.ts";
import { readStainPlanes } from "./stain-planes.ts";
import type { Tile } from "./tile-plan.ts";

let opened: { path: string; image: Promise<TissueImage> } | null = null;

/** Runs in a worker thread, which keeps its own handles to the image and the network between tiles. */
export default async function work(slide: Slide, tile: Tile, files: TaskFiles): Promise<TileCells> {
  const path = files["image"]!;
  if (opened?.path !== path) opened = { path, image: openTissueImage(path) };
  const image = await opened.image;
  const { grid, stain, maxExpansionUm } = slide;
  const { outerWidth, outerHeight } = tile;
  const stains = await readStainPlanes(image, stain, grid, {
    x: tile.outerX,
    y: tile.outerY,
    width: outerWidth,
    height: outerHeight,
  });
  if (!tile.hasTissue) {
    const none = { labels: new Int32Array(outerWidth * outerHeight), count: 0 };
    return analyzeTile(stains, none, tile, { maxExpansionUm, umPerPx: grid.umPerPx });
  }
  const finder =
    slide.finder.method === "network"
      ? { ...slide.finder, weights: files["weights"]! }
      : slide.finder;
  const nuclei =
    finder.method !== "network"
      ? labelGivenCells(finder.cells, tile)
      : await findNuclei(finder, stains, outerWidth, outerHeight, grid.umPerPx);
  return analyzeTile(stains, nuclei, tile, { maxExpansionUm, umPerPx: grid.umPerPx });
}
