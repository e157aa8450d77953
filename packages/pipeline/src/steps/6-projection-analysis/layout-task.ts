import { defineTask } from "../../engine/tasks/task.ts";
import type { Neighbors } from "../../numerics/neighbors/find-neighbors.ts";

export interface LayoutWork extends Neighbors {
  neighbors: number;
  epochs: number;
  minDist: number;
  /** Time between two looks at how far it is. */
  sliceMs: number;
  /** One number in memory that threads share: epochs that are done, and 1 for what comes before the first. */
  told: Int32Array;
}

/** x and y of every cell. */
export interface Layout {
  embedding: Float32Array;
}

/** Lays cells out by their neighbors: libscran's UMAP. */
export const layOut = defineTask<object, LayoutWork, Layout>(
  "lay-out",
  new URL("./layout-worker.ts", import.meta.url),
);
