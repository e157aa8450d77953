import { defineTask } from "../../engine/tasks/task.ts";
import type { StainModel } from "../../facts.ts";
import type { TileCells } from "./analyze-tile.ts";
import type { CellSource } from "./space-ranger-cells.ts";
import type { Tile, WorkingGrid } from "./tile-plan.ts";

/** Input shared by all tiles of an image. Files: `image` and, for the network, its `weights`. */
export interface Slide {
  stain: StainModel;
  grid: WorkingGrid;
  finder: CellSource;
  maxExpansionUm: number;
}

/** Finds and measures the cells of one tile. */
export const segmentTile = defineTask<Slide, Tile, TileCells>(
  "segment-tile",
  new URL("./segmentation-worker.ts", import.meta.url),
  // The network runs native code.
  { isNative: true },
);
