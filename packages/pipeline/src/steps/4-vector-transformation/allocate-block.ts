import { transpose } from "@stipple/numerics/sparse";
import { defineTask } from "@stipple/tasks/task";
import type { SpotBlock } from "./allocate-blocks.ts";
import { allocateCounts, type Allocation } from "./allocation.ts";

/** {@link allocateCounts} on a block of spots and the cells that share their counts. */
export function allocateOne(
  { profile, k }: { profile: Float32Array; k: number },
  { counts, sharing, membership }: SpotBlock,
): Promise<Allocation> {
  return allocateCounts(transpose(counts), { overlap: sharing, membership, profile, k });
}

/** Allocates the counts of a block of spots or bins to the cells that share them. */
export const allocateBlock = defineTask(import.meta.url, allocateOne);
