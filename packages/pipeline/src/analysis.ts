import { openAnalysis } from "./run.ts";
import { steps } from "./steps/index.ts";

/** The analysis with the built-in steps. */
export const analysis = openAnalysis(steps);
