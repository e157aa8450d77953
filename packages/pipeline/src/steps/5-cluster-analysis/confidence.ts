import type { ChosenTypes } from "./choose-types.ts";
import table from "./confidence-table.json" with { type: "json" };

/** How types were told: fitted to the spots and the look of cells, or scored on the rates. */
export type TypingWay = "fit" | "scores";

/** What a cell's confidence is computed from. */
export interface ConfidenceSignals {
  way: TypingWay;
  /** Of the assigned type, as the model has it. */
  posterior: Float32Array;
  /** Log likelihood ratio of the spots' counts with and without cells of the name. */
  evidence: Float32Array;
  /** 1 = the cell has no name of its own but that of its cluster. */
  byCluster: Uint8Array;
  /** Share of the cells with the same name in what the cell's spots capture. */
  purity: Float32Array;
  /** How sure the sample is as a whole: share of its cells that have a name, times their mean posterior. */
  sureness: number;
  /** How much the look of cells adds to the correlation with held-out spots; null where it was not tried. */
  lookGain: number | null;
}

/** How a cell came by its name: it was told itself, or its cluster was. */
export type NamingWay = TypingWay | "cluster";

/** Weights of `signalsOf`, by way; `npm run bench:calibration` writes them. */
export type ConfidenceTable = Record<NamingWay, readonly number[]>;

const LEAST_ODDS = 1e-3;
/** A smaller gain is none. */
const LEAST_GAIN = 1e-3;

function logOdds(probability: number): number {
  const p = Math.min(1 - LEAST_ODDS, Math.max(LEAST_ODDS, probability));
  return Math.log(p / (1 - p));
}

/** Share of the cells that have a name, times the mean posterior of these. */
export function surenessOf(
  { type, posterior }: Pick<ChosenTypes, "type" | "posterior">,
  withheld: Uint8Array | undefined,
): number {
  let [sum, cells] = [0, 0];
  type.forEach((own, cell) => {
    if (withheld?.[cell]) return;
    cells += 1;
    if (own >= 0) sum += posterior[cell];
  });
  return cells > 0 ? sum / cells : 0;
}

/** What the logistic map sees of a cell; the first stands for the constant. */
export function signalsOf(signals: ConfidenceSignals, cell: number): number[] {
  const evidence = signals.evidence[cell];
  return [
    1,
    logOdds(signals.posterior[cell]),
    Math.sign(evidence) * Math.log1p(Math.abs(evidence)),
    signals.purity[cell],
    logOdds(signals.sureness),
    Math.log(Math.max(1, (signals.lookGain ?? 0) / LEAST_GAIN)),
  ];
}

export function namingWay({ way, byCluster }: ConfidenceSignals, cell: number): NamingWay {
  return byCluster[cell] ? "cluster" : way;
}

/** Probability that a name is right, by a logistic map. */
export function probability(weights: readonly number[], signals: readonly number[]): number {
  const odds = signals.reduce((sum, value, i) => sum + value * weights[i], 0);
  return 1 / (1 + Math.exp(-odds));
}

/** Confidence of named cells, fitted on tissues of known truth; cells without a name keep the posterior of the best type. */
export function calibrated(
  { type, posterior }: ChosenTypes,
  signals: ConfidenceSignals,
  known: ConfidenceTable = table,
): Float32Array {
  return posterior.map((own, cell) =>
    type[cell] < 0 ? own : probability(known[namingWay(signals, cell)], signalsOf(signals, cell)),
  );
}
