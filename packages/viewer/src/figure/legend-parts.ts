import type { ValueRange } from "../cells/value-range.ts";
import { valueText } from "../cells/value-text.ts";

/** One block of a figure's legend. */
export type LegendPart =
  | { kind: "groups"; title: string; entries: readonly { name: string; color: string }[] }
  | { kind: "scale"; title: string; note: string; low: string; high: string }
  | {
      kind: "two";
      note: string;
      names: readonly [string, string];
      highs: readonly [string, string];
    };

/** Labels for the ends of a color scale; truncated tails are marked. */
export function scaleEnds(
  { low, high }: ValueRange,
  quantiles: readonly [number, number],
): { low: string; high: string } {
  return {
    low: `${quantiles[0] > 0 ? "≤ " : ""}${valueText(low)}`,
    high: `${quantiles[1] < 1 ? "≥ " : ""}${valueText(high)}`,
  };
}
