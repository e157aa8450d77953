import { defineTask } from "../../engine/tasks/task.ts";
import type { AllocatedBlock, SpotBlock } from "./allocate-by-spot.ts";

interface SharedModel {
  profile: Float32Array;
  k: number;
}

/** Allocates the counts of some spots whose cells are theirs alone. */
export const allocateSpots = defineTask<SharedModel, SpotBlock, AllocatedBlock>(
  "allocate-spots",
  new URL("./allocate-worker.ts", import.meta.url),
);

/** Allocates the counts of a block of bins, whose cells share them. */
export const allocateBins = defineTask<SharedModel, SpotBlock, AllocatedBlock>(
  "allocate-bins",
  new URL("./allocate-bins-worker.ts", import.meta.url),
);
