/** The three figures of the reference study; the landing page shows them and /validation explains them. */
export const VALIDATION_FIGURES = [
  {
    id: "expression",
    value: "0.442",
    label: "validation correlation over 306 genes",
    meaning:
      "How well inferred expression agrees with imaging of the same tissue: the correlation over the 306 genes both measured. 1 is perfect agreement, 0 is none.",
    caveat:
      "A moderate agreement. The two technologies differ in sensitivity, so even flawless measurements would not reach 1.",
  },
  {
    id: "detection",
    value: "0.546",
    label: "detection correlation",
    meaning:
      "How well detected cells agree with the imaging-based reference, again as a correlation (1 is perfect agreement).",
    caveat: "It measures cell detection, not cell types.",
  },
  {
    id: "cells",
    value: "2.7x",
    label: "more cells detected",
    meaning:
      "How many cells were detected for each cell detected by the comparison method in the same study.",
    caveat: "More cells aren't necessarily better cells; read this together with the correlations.",
  },
] as const;
