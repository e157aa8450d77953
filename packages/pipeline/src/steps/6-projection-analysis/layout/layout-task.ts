import { defineTask } from "../../../engine/tasks/task.ts";
import type { Neighbors } from "../../../numerics/neighbors/find-neighbors.ts";
import type { LayoutOptions } from "./lay-out.ts";

export interface LayoutWork extends Neighbors, LayoutOptions {
  /** Where cells start, nCells × 2. */
  start: Float32Array<ArrayBuffer>;
  /** One number in memory that threads share: epochs that are done. */
  told: Int32Array;
}

/** x and y of every cell. */
export interface Layout {
  embedding: Float32Array;
}

/** Lays cells out by their neighbors. */
export const layOutBeside = defineTask<object, LayoutWork, Layout>(
  "lay-out",
  new URL("./layout-worker.ts", import.meta.url),
);
