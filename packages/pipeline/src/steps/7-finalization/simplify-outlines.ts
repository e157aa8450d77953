import { defineTask } from "@stipple/tasks/task";
import type { Polygons } from "@stipple/numerics/matrices";
import { simplifyCoverage } from "@stipple/numerics/simplify-coverage";

/** Runs in a worker thread. */
export function simplify(outlines: Polygons, { tolerancePx }: { tolerancePx: number }): Polygons {
  return simplifyCoverage(outlines, tolerancePx);
}

/** Simplifies outlines with shared borders on one thread; see `simplifyCoverage`. */
export const simplifyOutlines = defineTask(import.meta.url, simplify);
