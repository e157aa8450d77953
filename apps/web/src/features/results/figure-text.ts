/** The four figures of a project. */
export const FIGURE_NAMES = [
  "Total Spots",
  "Total Cells",
  "Total Genes",
  "Average Cells per Spot",
] as const;

/** The text of one figure: whole numbers with separators, the average to two decimals, null when there is none. */
export function figureText(
  name: (typeof FIGURE_NAMES)[number],
  value: number | undefined,
): string | null {
  if (value === undefined || !Number.isFinite(value)) return null;
  return name === "Average Cells per Spot" ? value.toFixed(2) : value.toLocaleString("en-US");
}
