import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import { anchoredTypes } from "../../types/anchored-types.ts";
import { posteriorOfScores } from "./choose-types.ts";
import type { TypingWay } from "./confidence.ts";
import type { CellRates, GeneStatistics } from "./gene-statistics.ts";
import type { FittedTypes } from "../../types/fit-types.ts";
import { likeliestOf, type Likeliest } from "./name-of-nameless.ts";
import { asCandidate, type ResolvedSet } from "../../types/resolve-sets.ts";
import { CLUSTER_SHARE, scoreCells } from "./score-cells.ts";
import type { TypingInput, TypingOptions } from "./typing-input.ts";

/** Softmax temperature and the score of "no known type", chosen on open data: docs/methods/5-cluster-analysis.md. */
const TEMPERATURE = 0.9;
const FLOOR = 0.5;

/** Remaining candidates, and each cell's posterior of them and, last, of none of them. */
export interface Weighed {
  candidates: ResolvedSet[];
  posterior: Float32Array;
  /** The same from models fitted to half of the spots each; null if types are scored. */
  ofHalves: Float32Array | null;
  way: TypingWay;
}

/** Most likely type of each cell in the fit. */
export function likeliestBy({
  posterior,
  candidates,
}: Weighed): (cell: number) => Likeliest | undefined {
  const sets = candidates.map(({ set }) => set);
  const width = sets.length + 1;
  return (cell) => likeliestOf(posterior.subarray(cell * width, (cell + 1) * width), sets);
}

/** Fits types to the spots; null if there are too few spots or they confirm no type. */
export async function weighBySpots(
  candidates: readonly ResolvedSet[],
  { spots }: TypingInput,
  { signal, progress, others }: TypingOptions,
  leastConfirmed?: number,
): Promise<Weighed | null> {
  if (!spots || candidates.length === 0) return null;
  const pause = async (): Promise<void> => {
    await setImmediate();
    throwIfCancelled(signal);
  };
  const result = await anchoredTypes(candidates.map(asCandidate), spots, {
    progress,
    others,
    leastConfirmed,
    pause,
  });
  if (!result) return null;
  return {
    way: "fit",
    candidates: result.kept.map((i, t) => confirmedBy(candidates[i], result.confirmed[t])),
    posterior: result.posterior,
    ofHalves: result.ofHalves,
  };
}

/** Types that step 4 fitted to the spots; null if one of them is not among the candidates. */
export function weighedByFit(
  candidates: readonly ResolvedSet[],
  { report, posterior, ofHalves }: FittedTypes,
): Weighed | null {
  const confirmed = report.types.flatMap(({ name, markers }) => {
    const known = candidates.find(({ set }) => set.name === name);
    return known ? [confirmedBy(known, markers)] : [];
  });
  if (confirmed.length < report.types.length) return null;
  // Clusters change them.
  return {
    way: "fit",
    candidates: confirmed,
    posterior: posterior.slice(),
    ofHalves: ofHalves.slice(),
  };
}

/** A candidate with the markers that are raised in its cells. */
function confirmedBy(candidate: ResolvedSet, genes: readonly number[]): ResolvedSet {
  return { ...candidate, present: genes.map((gene) => ({ gene, weight: 1 })) };
}

/** Scores types in each cell and its cluster. */
export async function weighByScores(
  candidates: ResolvedSet[],
  statistics: ReadonlyMap<number, GeneStatistics>,
  input: CellRates,
  options: TypingOptions,
): Promise<Weighed> {
  const { temperature = TEMPERATURE, floor = FLOOR, clusterShare = CLUSTER_SHARE } = options;
  const scores = await scoreCells(candidates, statistics, input, { ...options, clusterShare });
  return {
    way: "scores",
    candidates,
    ofHalves: null,
    posterior: posteriorOfScores(scores, input.nCells, { temperature, floor }),
  };
}
