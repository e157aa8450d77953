import { defineTask } from "../../engine/tasks/task.ts";
import type { Polygons } from "@stipple/numerics/matrices";

/** Simplifies outlines with shared borders on one thread; see `simplifyCoverage`. */
export const simplifyOutlines = defineTask<Polygons, { tolerancePx: number }, Polygons>(
  "simplify-outlines",
  new URL("./light-outlines-worker.ts", import.meta.url),
);
