/** Numbers of the study, for charts; those that pages quote in words are in app/validation-figures.ts. */
export const CORRELATIONS = [
  { id: "expression", label: "Validation correlation", value: 0.442 },
  { id: "detection", label: "Detection correlation", value: 0.546 },
] as const;

export const CELL_RATIO = 2.7;
