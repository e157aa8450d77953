import table from "./confidence-table.json" with { type: "json" };
import { NAMES } from "../model/type-constants.ts";

const { MIN_ODDS, MIN_SUPPORT, MAX_SUPPORT, SUPPORT_UNIT, MIN_GAIN, MAX_GAIN } = NAMES;

/**
 * How types were determined: fitted to the spots and the looks of cells, from each cell's own counts, or fitted to spots
 * and looks with the profiles of a reference.
 */
export type TypingWay = "fit" | "counts" | "reference";

/** What the probability of a name rests on. */
export interface NameEvidence {
  /** Posterior of the name. */
  posterior: number;
  /** Support of the name's types by their profiles (`profileSupport`), by posterior. */
  support: number;
  /** How much the looks of cells add to the correlation with held-out spots; null if not tested. */
  lookGain: number | null;
}

/**
 * Weights of the logistic map from `signalsOf` to the probability that a name is right. "fit" was fitted by
 * `npm run bench:calibration` to 22 rendered tissues and the left half of the measured section, which weighs as much as all
 * of them; "counts" in the same way, to that half in 8 and 16 µm bins and 23 rendered slides; "reference" to that half,
 * with labeled cells of the other, and to thirteen rendered tissues with a quarter of its weight. The fits used names from a
 * confidence of 0.4 on, which nearly all cells on bins have: those from 0.5 on leave constant and slope undecided.
 */
export type ConfidenceTable = Record<TypingWay, readonly number[]>;
export const CONFIDENCE_TABLE: ConfidenceTable = table;

/** Inputs of the logistic map: a constant first. */
export function signalsOf(
  way: TypingWay,
  { posterior, support, lookGain }: NameEvidence,
): number[] {
  const p = clamp(posterior, MIN_ODDS, 1 - MIN_ODDS);
  const own = [1, Math.log(p / (1 - p))];
  if (way === "counts") return own;
  const gain = Math.log(clamp(lookGain ?? 0, MIN_GAIN, MAX_GAIN) / MIN_GAIN);
  if (way === "reference") return [...own, gain];
  return [...own, clamp(support, MIN_SUPPORT, MAX_SUPPORT) / SUPPORT_UNIT, gain];
}

/** Probability from a logistic model. */
export function probability(weights: readonly number[], signals: readonly number[]): number {
  const odds = signals.reduce((sum, value, i) => sum + value * weights[i], 0);
  return 1 / (1 + Math.exp(-odds));
}

/** Probability that a name is right. */
export function confidenceOf(way: TypingWay, evidence: NameEvidence): number {
  return probability(CONFIDENCE_TABLE[way], signalsOf(way, evidence));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
