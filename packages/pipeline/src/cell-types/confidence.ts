import table from "./confidence-table.json" with { type: "json" };
import { CELL_CORRELATION } from "../model/constants.ts";
import { GUARDS } from "../model/limits.ts";

const { MIN_GAIN, MAX_GAIN } = CELL_CORRELATION;
const { MIN_ODDS } = GUARDS;

/**
 * How types were determined: fitted to the spots and the looks of cells, from each cell's own counts, or fitted to spots
 * and looks with the profiles of a reference.
 */
export type TypingWay = "fit" | "counts" | "reference";

/**
 * Weights of the logistic map from `signalsOf` to the probability that a name is right. `npm run bench:calibration` fitted
 * "fit" to the likeliest names, at every level, of the cells of 49 rendered tissues and of the left half of the measured
 * section, which weighs as much as all of them. "counts" was fitted to names from a confidence of 0.4 on, of 25 rendered
 * slides and that half in 8 and 16 µm bins; names at every level would raise its error there. "reference" was fitted to that
 * half, with labeled cells of the other, and to thirteen rendered tissues with a quarter of its weight.
 */
export type ConfidenceTable = Record<TypingWay, readonly number[]>;
export const CONFIDENCE_TABLE: ConfidenceTable = table;

/**
 * Inputs of the logistic map: a constant first.
 * @param posterior of the name
 * @param lookGain how much the looks of cells add to the correlation with held-out spots; null if not tested
 */
export function signalsOf(way: TypingWay, posterior: number, lookGain: number | null): number[] {
  const p = clamp(posterior, MIN_ODDS, 1 - MIN_ODDS);
  const own = [1, Math.log(p / (1 - p))];
  if (way === "counts") return own;
  return [...own, Math.log(clamp(lookGain ?? 0, MIN_GAIN, MAX_GAIN) / MIN_GAIN)];
}

/** Probability from a logistic model. */
export function probability(weights: readonly number[], signals: readonly number[]): number {
  const odds = signals.reduce((sum, value, i) => sum + value * weights[i], 0);
  return 1 / (1 + Math.exp(-odds));
}

/** Probability that a name is right, from what {@link signalsOf} takes. */
export function confidenceOf(way: TypingWay, posterior: number, lookGain: number | null): number {
  return probability(CONFIDENCE_TABLE[way], signalsOf(way, posterior, lookGain));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
