import type { Membership, TissueData } from "./fit-expression.ts";
import { groupOf } from "./look-groups.ts";

/** Runs in a worker thread. */
export default function work(
  { features }: { features: TissueData["features"] },
  { k, seed }: { k: number; seed: number },
): Membership {
  return groupOf(features, k, seed);
}
