import { defineTask } from "../engine/tasks/task.ts";
import type { SampledSpots } from "./group-rates.ts";

/** Fits the rates of groups for some genes, given their counts in the sampled spots: genes × spots → genes × groups. */
export const ratesOfGenes = defineTask<SampledSpots, { counts: Float32Array }, Float64Array>(
  "group-rates",
  new URL("./group-rates-worker.ts", import.meta.url),
);
