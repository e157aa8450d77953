import { defineTask, type Tasks } from "@stipple/tasks/task";
import { lookMembership, lookMixture } from "../../model/look-mixture.ts";
import type { Membership, TissueData } from "./fit-expression.ts";
import { LOOK_GROUPS } from "../../model/constants.ts";

/** Number of cells above which a thread is worth starting. */
const WORTH_THREADS = 20_000;

/**
 * Memberships of the cells in groups that look alike, one grouping per fit; none without features or cells. In large samples, on
 * a thread, so that the caller can prepare the counts in the meantime; results are bit-identical either way.
 */
export async function lookGroups(
  features: TissueData["features"],
  fits: number,
  { seed, tasks, signal }: { seed: number; tasks: Tasks; signal: AbortSignal },
): Promise<Membership[]> {
  const { data, nCols } = features;
  if (data.length === 0) return [];
  const inputs = LOOK_GROUPS.LOOKS.slice(0, fits).map((k, i) => ({ k, seed: seed + i }));
  if (!tasks.isWorth(data.length / nCols, WORTH_THREADS)) {
    return inputs.map((input) => groupOne({ features }, input));
  }
  return tasks.map(groupLooks, { shared: { features }, inputs }, { signal });
}

/** One grouping; runs in a worker thread if there are many cells. */
export function groupOne(
  { features }: { features: TissueData["features"] },
  { k, seed }: { k: number; seed: number },
): Membership {
  const gate = lookMixture(features, k, seed);
  return { data: lookMembership(features, gate), k: gate.k };
}

const groupLooks = defineTask(import.meta.url, groupOne);
