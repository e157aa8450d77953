import { defineTask } from "../../engine/tasks/task.ts";
import type { NeighborBlock } from "./neighbor-block.ts";

/** Input shared by all blocks of points. */
export interface NeighborWork {
  /** nPoints × nDims; points of a region are adjacent. */
  points: Float32Array;
  nDims: number;
  k: number;
}

/** Points from … to − 1, and the points to compare them with. */
export interface NeighborSearch {
  from: number;
  to: number;
  candidates: Uint32Array;
}

/** Finds the nearest points of the points of some regions. */
export const nearestInRegions = defineTask<NeighborWork, NeighborSearch[], NeighborBlock[]>(
  "nearest-in-regions",
  new URL("./neighbor-worker.ts", import.meta.url),
  // Runs ONNX Runtime.
  { isNative: true },
);
