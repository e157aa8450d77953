import { defineTask } from "@stipple/tasks/task";
import type { Neighbors } from "@stipple/numerics/neighbors/find-neighbors";
import { layOut, type LayoutOptions } from "./lay-out.ts";

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

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export function layOutOnThread(_shared: object, { start, told, ...given }: LayoutWork): Layout {
  for (const done of layOut(start, given, given)) Atomics.store(told, 0, done);
  return { embedding: start };
}

/** Lays out cells based on their neighbors. */
export const layOutBeside = defineTask(import.meta.url, layOutOnThread);
