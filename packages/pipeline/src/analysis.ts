import { openAnalysis } from "./run.ts";
import { steps } from "./steps/index.ts";

/** The analysis by the product's own steps. */
export const analysis = openAnalysis(steps);
