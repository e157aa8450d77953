import { defineTask } from "../../engine/tasks/task.ts";
import type { PlacingWork } from "./place-by-sketch.ts";

export interface CellRange {
  from: number;
  to: number;
}

/** x and y of each cell in a range. */
export interface Places {
  places: Float32Array;
}

/** Places a range of cells among those of the sketch. */
export const placeCells = defineTask<PlacingWork, CellRange, Places>(
  "place-cells",
  new URL("./place-worker.ts", import.meta.url),
);
