import type { TypingReport } from "../../facts.ts";
import type { ChosenTypes } from "../../cell-types/name-cells.ts";
import { typeColors, UNKNOWN } from "../../markers/type-colors.ts";

export interface TypingResult {
  /** Index into `names` for each cell. */
  cellType: Int32Array;
  /** Probability that the name is right, 0–1; NaN for "Unknown". */
  confidence: Float32Array;
  /** Margin of the posterior over that of the next best type, 0–1; 0 for "Unknown". */
  margin: Float32Array;
  /** Types that occur, most frequent first; "Unknown" last if present. */
  names: string[];
  /** #RRGGBB, by the type's class: see `typeColors`. */
  colors: string[];
  report: TypingReport;
}

/** Numbers the occurring types by frequency and completes the report. */
export function typingResult(
  { type, confidence, margin, names }: ChosenTypes,
  report: Omit<TypingReport, "unknownFraction">,
): TypingResult {
  const counts = new Float64Array(names.length);
  let unknown = 0;
  for (const t of type) {
    if (t >= 0) counts[t]++;
    else unknown++;
  }
  const order = [...counts.keys()]
    .filter((t) => counts[t] > 0)
    .sort((a, b) => counts[b] - counts[a] || a - b);
  const rank = new Int32Array(names.length);
  order.forEach((t, i) => (rank[t] = i));
  const given = order.map((t) => names[t]);
  const all = unknown > 0 ? [...given, UNKNOWN] : given;
  const markersFound = Object.fromEntries(
    Object.entries(report.markersFound).filter(([name]) => given.includes(name)),
  );
  return {
    cellType: type.map((t) => (t >= 0 ? rank[t] : given.length)),
    confidence: confidence.map((value, cell) => (type[cell] >= 0 ? value : NaN)),
    margin,
    names: all,
    colors: typeColors(all),
    report: {
      ...report,
      markersFound,
      unknownFraction: type.length > 0 ? unknown / type.length : 0,
    },
  };
}
