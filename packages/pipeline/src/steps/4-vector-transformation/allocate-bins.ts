import { transpose } from "@stipple/numerics/sparse";
import type { AllocatedBlock, SpotBlock } from "./allocate-by-spot.ts";
import { allocateCounts } from "./allocation.ts";

/** Runs {@link allocateCounts} on a block of bins and the cells they capture, numbered within the block. */
export function allocateBinBlock(
  { profile, k }: { profile: Float32Array; k: number },
  { counts, sharing, membership }: SpotBlock,
): Promise<AllocatedBlock> {
  return allocateCounts(transpose(counts), { overlap: sharing, membership, profile, k });
}
