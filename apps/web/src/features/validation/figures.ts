/** Numbers of the study, for charts; the words next to them are in texts/validation-figures.ts. */
export const CORRELATIONS = [
  { id: "expression", label: "Validation correlation", value: 0.442 },
  { id: "detection", label: "Detection correlation", value: 0.546 },
] as const;

export const CELL_RATIO = 2.7;
