import type { ValueRange } from "../cells/value-range.ts";
import { valueText } from "../cells/value-text.ts";

/** One block of a figure's legend. */
export type LegendPart =
  | { kind: "groups"; title: string; entries: readonly GroupEntry[] }
  | {
      kind: "scale";
      title: string;
      note: string;
      low: string;
      /** For a scale with a distinct midpoint. */
      middle?: string;
      high: string;
      /** From low to high; those of Viridis by default. */
      colors?: readonly string[];
    }
  /** Circles from small to large, in the unit of the text's size. */
  | { kind: "sizes"; title: string; sizes: readonly { radius: number; label: string }[] }
  /** A symbol in the drawing and what it means. */
  | { kind: "sign"; sign: keyof typeof SIGNS; text: string }
  | {
      kind: "two";
      note: string;
      names: readonly [string, string];
      highs: readonly [string, string];
    };

interface GroupEntry {
  name: string;
  color: string;
  /** Drawn as a line with these dashes rather than a square. */
  dashes?: string;
}

/** Paths for text of {@link SIGN_SIZE}, because fonts lack such letters; filled or drawn as lines. */
export const SIGNS = {
  bar: { d: "M0 4h11v4h-11z", isFilled: true },
  dash: { d: "M0 6h11", isFilled: false },
  upright: { d: "M5.5 1v10", isFilled: false },
  dot: { d: "M1.5 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", isFilled: true },
  ring: { d: "M1.5 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", isFilled: false },
  triangle: { d: "M5.5 2l4.5 8h-9z", isFilled: false },
  half: { d: "M8 1a5 5 0 0 0 0 10z", isFilled: true },
} as const;
export const SIGN_SIZE = 11;

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
