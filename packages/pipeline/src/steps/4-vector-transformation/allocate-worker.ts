import { transpose } from "@stipple/numerics/sparse";
import type { SpotBlock } from "./allocate-blocks.ts";
import { allocateCounts, type Allocation } from "./allocation.ts";

/** Runs in a worker thread: {@link allocateCounts} on a block of spots and the cells that share their counts. */
export default function work(
  { profile, k }: { profile: Float32Array; k: number },
  { counts, sharing, membership }: SpotBlock,
): Promise<Allocation> {
  return allocateCounts(transpose(counts), { overlap: sharing, membership, profile, k });
}
