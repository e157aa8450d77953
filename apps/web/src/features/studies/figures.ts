import type { Column } from "../../components/table.tsx";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";

/** "12,345". */
export function wholeText(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Three significant digits; a dash if unknown. */
export function figureText(value: number | null): string {
  if (value === null) return "–";
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}

export function percentText(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** A value with its 95% interval. */
export function intervalText(
  value: number | null,
  low: number | null,
  high: number | null,
): string {
  return `${figureText(value)} (${TEXTS.interval(figureText(low), figureText(high))})`;
}

/** How certain a difference is. */
export const CERTAINTY: readonly Column<{ p: number | null; fdr: number | null }>[] = [
  { header: TEXTS.p, align: "right", cell: ({ p }) => figureText(p) },
  { header: TEXTS.fdr, align: "right", cell: ({ fdr }) => figureText(fdr) },
];
