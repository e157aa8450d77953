import { defineTask } from "../../../engine/tasks/task.ts";
import type { Neighbors } from "../../../numerics/neighbors/find-neighbors.ts";
import type { LayoutOptions } from "./lay-out.ts";

export interface LayoutWork extends Neighbors, LayoutOptions {
  /** Starting positions of the cells, nCells × 2. */
  start: Float32Array<ArrayBuffer>;
  /** A single number in shared memory: the completed epochs. */
  told: Int32Array;
}

/** x and y of every cell. */
export interface Layout {
  embedding: Float32Array;
}

/** Lays out cells based on their neighbors. */
export const layOutBeside = defineTask<object, LayoutWork, Layout>(
  "lay-out",
  new URL("./layout-worker.ts", import.meta.url),
);
