/** The three figures of the reference study; the landing page shows them, and /validation what they mean. */
export const VALIDATION_FIGURES = [
  {
    id: "expression",
    value: "0.442",
    label: "validation correlation over 306 genes",
  },
  {
    id: "detection",
    value: "0.546",
    label: "detection correlation",
  },
  {
    id: "cells",
    value: "2.7x",
    label: "more cells detected",
  },
] as const;
