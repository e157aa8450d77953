import { defineTask } from "../../engine/tasks/task.ts";
import type { AllocatedBlock, SpotBlock } from "./allocate-by-spot.ts";

/** Allocates the counts of some spots whose cells are theirs alone. */
export const allocateSpots = defineTask<
  { profile: Float32Array; k: number },
  SpotBlock,
  AllocatedBlock
>("allocate-spots", new URL("./allocate-worker.ts", import.meta.url));
