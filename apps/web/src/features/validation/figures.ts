/** Numbers of the study, for charts; the words beside them are in texts/validation-figures.ts. */
export const CORRELATIONS = [
  { id: "expression", label: "Validation correlation", value: 0.442 },
  { id: "detection", label: "Detection correlation", value: 0.546 },
] as const;

export const CELL_RATIO = 2.7;

/** Place of a correlation (−1…1) on an axis from `left` to `right`. */
export function onAxis(value: number, left: number, right: number): number {
  return left + ((value + 1) / 2) * (right - left);
}
