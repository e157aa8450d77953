import { defineTask } from "../../engine/tasks/task.ts";
import type { AllocatedBlock, SpotBlock } from "./allocate-by-spot.ts";

interface SharedModel {
  profile: Float32Array;
  k: number;
}

/** Allocates the counts of a block of spots that share no cell with other spots. */
export const allocateSpots = defineTask<SharedModel, SpotBlock, AllocatedBlock>(
  "allocate-spots",
  new URL("./allocate-worker.ts", import.meta.url),
);

/** Allocates the counts of a block of bins to the cells they capture. */
export const allocateBins = defineTask<SharedModel, SpotBlock, AllocatedBlock>(
  "allocate-bins",
  new URL("./allocate-bins-worker.ts", import.meta.url),
);
