/** The three figures of the reference study; the landing page shows them and /validation explains them. */
export const VALIDATION_FIGURES = [
  {
    id: "expression",
    value: "0.442",
    label: "validation correlation over 306 genes",
    meaning:
      "How well the expression inferred for cells agrees with what imaging measured in the same tissue: the correlation over the 306 genes that both have. 1 would be perfect agreement, 0 none.",
    caveat:
      "A moderate agreement. The two technologies differ in sensitivity, so even two flawless measurements would not reach 1.",
  },
  {
    id: "detection",
    value: "0.546",
    label: "detection correlation",
    meaning:
      "How well the cells that were detected agree with those of the imaging-based reference: again a correlation, with 1 for perfect agreement.",
    caveat: "It speaks of detecting cells, not of the types they are given.",
  },
  {
    id: "cells",
    value: "2.7x",
    label: "more cells detected",
    meaning: "How many cells were detected for each cell of the comparison in the same study.",
    caveat:
      "More cells are not by themselves better cells; read it together with the correlations.",
  },
] as const;
