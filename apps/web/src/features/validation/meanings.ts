import type { VALIDATION_FIGURES } from "../../app/validation-figures.ts";

/** What the figures of the study mean, and what they don't; kept apart so that the landing page does not load it. */
export const VALIDATION_MEANINGS: Readonly<
  Record<(typeof VALIDATION_FIGURES)[number]["id"], { meaning: string; caveat: string }>
> = {
  expression: {
    meaning:
      "How well inferred expression agrees with imaging of the same tissue: the correlation over the 306 genes both measured. 1 is perfect agreement, 0 is none.",
    caveat:
      "A moderate agreement. The two technologies differ in sensitivity, so even flawless measurements would not reach 1.",
  },
  detection: {
    meaning:
      "How well detected cells agree with the imaging-based reference, again as a correlation (1 is perfect agreement).",
    caveat: "It measures cell detection, not cell types.",
  },
  cells: {
    meaning:
      "How many cells were detected for each cell detected by the comparison method in the same study.",
    caveat: "More cells aren't necessarily better cells; read this together with the correlations.",
  },
};
