import { defineTask } from "../../engine/tasks/task.ts";
import type { Allocation } from "./allocation.ts";
import type { SpotBlock } from "./allocate-blocks.ts";

/** Allocates the counts of a block of spots or bins to the cells that share them. */
export const allocateBlock = defineTask<
  { profile: Float32Array; k: number },
  SpotBlock,
  Allocation
>("allocate-block", new URL("./allocate-worker.ts", import.meta.url));
