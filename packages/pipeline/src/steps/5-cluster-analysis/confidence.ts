import { coarserNames } from "../../markers/coarser-names.ts";
import { MARKER_SETS } from "../../markers/index.ts";
import type { MarkerSet } from "../../markers/marker-set.ts";
import type { ChosenTypes } from "./choose-types.ts";
import table from "./confidence-table.json" with { type: "json" };
import type { RaisedMarkers } from "./name-groups.ts";

/** How types were told: fitted to the spots and the look of cells, or scored on the rates. */
export type TypingWay = "fit" | "scores";

/** What is known of the sample as a whole. */
export interface SampleSignals {
  /** How much the look of cells adds to the correlation with held-out spots; null where it was not tried. */
  lookGain: number | null;
  /** Spots or bins that reach cells. */
  spots: number;
  /** Whether these are small bins, which tell of single cells. */
  bins: boolean;
  /** 1 = the image is blurred, too dark or inked where the cell lies. */
  poorImage?: Uint8Array | undefined;
}

/** What a cell's confidence is computed from. */
export interface ConfidenceSignals extends SampleSignals {
  way: TypingWay;
  /** Of the assigned type, as the model has it. */
  posterior: Float32Array;
  /** The same by models that saw half of the spots each; 0 where types are scored. */
  ofHalves: Float32Array;
  /** Log likelihood ratio of the spots' counts with and without cells of the name. */
  evidence: Float32Array;
  /** 1 = the cell has only its cluster's name. */
  byCluster: Uint8Array;
  /** Share of the cells with the same name in what the cell's spots capture. */
  purity: Float32Array;
  /** Share of the cells with the same name in the sample. */
  share: Float32Array;
  raised: RaisedMarkers;
}

/** How a cell came by its name: it was told itself, or its cluster was. */
export type NamingWay = TypingWay | "cluster";

/** What a map may see of a cell. */
export type Signal =
  | "constant"
  | "posterior"
  | "ofHalves"
  | "ofHalvesOfBins"
  | "evidence"
  | "purity"
  | "share"
  | "noRival"
  | "lead"
  | "lookGain"
  | "spots"
  | "bins"
  | "goodImage";

/** What the map of each way sees. Halves of the spots say what evidence and purity would. */
export const SIGNALS: Record<NamingWay, readonly Signal[]> = {
  fit: [
    "constant",
    "posterior",
    "ofHalves",
    "ofHalvesOfBins",
    "noRival",
    "lookGain",
    "spots",
    "bins",
    "goodImage",
  ],
  scores: ["constant", "posterior", "evidence", "purity", "share", "lead", "lookGain"],
  cluster: ["constant", "posterior", "evidence", "purity", "share", "lead", "lookGain"],
};

/** Weights of `signalsOf`, by way; `npm run bench:calibration` writes them. */
export type ConfidenceTable = Record<NamingWay, readonly number[]>;
export const CONFIDENCE_TABLE: ConfidenceTable = table;

const LEAST_ODDS = 1e-3;
/** Half of the spots are less sure of anything. */
const LEAST_ODDS_OF_HALVES = 1e-2;
/** A smaller gain is none. */
const LEAST_GAIN = 1e-3;
/** More spots are enough. */
const ENOUGH_SPOTS = 100;
/** Leads, in log rates, are kept below. */
const MOST_LEAD = 2;

function logOdds(probability: number, least: number): number {
  const p = Math.min(1 - least, Math.max(least, probability));
  return Math.log(p / (1 - p));
}

/** What each cell's name has as its posterior, given those of the types that were fitted (and, last, of none). */
export function posteriorOfNames(
  { type, names }: Pick<ChosenTypes, "type" | "names">,
  sets: readonly MarkerSet[],
  posterior: Float32Array,
): Float32Array {
  const width = sets.length + 1;
  const columns = names.map((name) => columnsOf(name, sets));
  return Float32Array.from(type, (own, cell) =>
    own < 0 ? 0 : columns[own].reduce((sum, at) => sum + posterior[cell * width + at], 0),
  );
}

/** The types that a name stands for: itself, those of a wider name, or the one that it is a kind of. */
function columnsOf(name: string, sets: readonly MarkerSet[]): number[] {
  const parent = MARKER_SETS.find((set) => set.name === name)?.parent;
  return [...sets.keys()].filter(
    (i) =>
      sets[i].name === name ||
      sets[i].name === parent ||
      coarserNames(sets[i].name, sets[i].lineage).includes(name),
  );
}

/** Of each cell: share of the cells with the same name among all cells. */
export function sharesOfNames({ type, names }: Pick<ChosenTypes, "type" | "names">): Float32Array {
  const cells = new Float64Array(names.length);
  for (const own of type) if (own >= 0) cells[own] += 1;
  return Float32Array.from(type, (own) => (own < 0 ? 0 : cells[own] / type.length));
}

/** What the logistic map of the cell's way sees of it. */
export function signalsOf(signals: ConfidenceSignals, cell: number): number[] {
  return SIGNALS[namingWay(signals, cell)].map((name) => SEEN[name](signals, cell));
}

/** No signal but "bins" may count against a name: each is turned so that more of it is better. */
const SEEN: Record<Signal, (signals: ConfidenceSignals, cell: number) => number> = {
  constant: () => 1,
  posterior: ({ posterior }, cell) => logOdds(posterior[cell], LEAST_ODDS),
  ofHalves: ({ ofHalves }, cell) => logOdds(ofHalves[cell], LEAST_ODDS_OF_HALVES),
  // Half of the bins still see every cell's neighbors, so that what they agree on says more than with spots.
  ofHalvesOfBins: ({ bins, ofHalves }, cell) =>
    bins ? logOdds(ofHalves[cell], LEAST_ODDS_OF_HALVES) : 0,
  evidence: ({ evidence }, cell) =>
    Math.sign(evidence[cell]) * Math.log1p(Math.abs(evidence[cell])),
  purity: ({ purity }, cell) => purity[cell],
  share: ({ share }, cell) => Math.log(Math.max(LEAST_ODDS, share[cell])),
  noRival: ({ raised }, cell) => -raised.rival[cell],
  lead: ({ raised }, cell) => Math.min(MOST_LEAD, raised.lead[cell]),
  lookGain: ({ lookGain }) => Math.log(Math.max(1, (lookGain ?? 0) / LEAST_GAIN)),
  spots: ({ spots }) => Math.log(Math.min(ENOUGH_SPOTS, Math.max(1, spots)) / ENOUGH_SPOTS),
  bins: ({ bins }) => (bins ? 1 : 0),
  goodImage: ({ poorImage }, cell) => (poorImage?.[cell] ? 0 : 1),
};

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
  known: ConfidenceTable = CONFIDENCE_TABLE,
): Float32Array {
  return posterior.map((own, cell) =>
    type[cell] < 0 ? own : probability(known[namingWay(signals, cell)], signalsOf(signals, cell)),
  );
}
