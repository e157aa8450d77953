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

/** What the probability of a name rests on. */
export interface NameEvidence {
  /** Posterior of the name. */
  posterior: number;
  /** How much of their profiles the name's types explain (`profileSupport`), by posterior. */
  explained: number;
  /** How much the looks of cells add to the correlation with held-out spots; null if not tested. */
  lookGain: number | null;
}

/**
 * Weights of the logistic map from `signalsOf` to the probability that a name is right. "fit" was fitted by
 * `npm run bench:calibration` to 41 rendered tissues and the left half of the measured section, which weighs as much as all
 * of them; "counts" in the same way, to that half in 8 and 16 µm bins and 25 rendered slides, with names from a confidence of
 * 0.4 on, which nearly all cells on bins have: those from 0.5 on leave constant and slope undecided; "reference" to that
 * half, with labeled cells of the other, and to thirteen rendered tissues with a quarter of its weight.
 */
export type ConfidenceTable = Record<TypingWay, readonly number[]>;
export const CONFIDENCE_TABLE: ConfidenceTable = table;

/** Inputs of the logistic map: a constant first. */
export function signalsOf(
  way: TypingWay,
  { posterior, explained, lookGain }: NameEvidence,
): number[] {
  const p = clamp(posterior, MIN_ODDS, 1 - MIN_ODDS);
  const own = [1, Math.log(p / (1 - p))];
  if (way === "counts") return own;
  const gain = Math.log(clamp(lookGain ?? 0, MIN_GAIN, MAX_GAIN) / MIN_GAIN);
  if (way === "reference") return [...own, gain];
  return [...own, explained, gain];
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
