import { Random } from "@stipple/numerics/random";
import { readResult } from "@stipple/pipeline/results";
import type { KnownTissue } from "../read-truth.ts";
import {
  interpolation,
  nearestSpot,
  noiseFreeRate,
  oracleTypeMean,
  trueTypesFitted,
} from "./baselines.ts";
import type { CellPrediction } from "./correlation.ts";
import { inTruthOrder } from "./truth-order.ts";

/** All scored methods, in the order of the report. The ideas of peers are run by `npm run bench:accuracy`. */
export const METHODS = {
  rate: "Stipple, inferred rate",
  counts: "Stipple, allocated counts",
  shuffled: "control: the rate, cells shuffled",
  shuffledInSpots: "control: the rate, cells shuffled within spots",
  nearest: "baseline: nearest spot, true cells",
  interpolation: "baseline: interpolation, true cells",
  thorLike: "peer's idea: cell-graph diffusion (Thor-like)",
  istarLike: "peer's idea: superpixel network (iStar-like)",
  ridge: "peer's idea: weakly supervised ridge",
  typesFitted: "reference: true types fitted",
  oracleType: "ceiling: mean of the true type",
  noiseFree: "ceiling: noise-free rate",
} as const;
export type Method = keyof typeof METHODS;
type Peer = "thorLike" | "istarLike" | "ridge";

/** Predictions of the peer methods, as far as they can be made, for the product's own detected cells. */
export type PeerPredictions = (
  tissue: KnownTissue,
  sample: AnalyzedSample,
) => Promise<Partial<Record<Peer, CellPrediction>>>;

/** Location of the results and how they map to the truth. */
export interface AnalyzedSample {
  truthDir: string;
  resultsDir: string;
  /** Index of the detected cell for each true cell, or −1. */
  matched: Int32Array;
  /** Index in the truth for each gene of the results, or −1. */
  order: readonly number[];
}

/** The product's own results, their controls, and references that require the truth. */
export async function ownPredictions(
  tissue: KnownTissue,
  { resultsDir, matched, order }: AnalyzedSample,
): Promise<Record<Exclude<Method, Peer>, CellPrediction>> {
  const nGenes = tissue.genes.length;
  const scale = await readResult(resultsDir, "sample/scale");
  const spots = {
    xy: (await readResult(resultsDir, "spots/xy")).data,
    barcode: await readResult(resultsDir, "spots/barcode"),
    pitchPx: scale.pitchUm / scale.micronsPerPixel,
    counts: inTruthOrder(await readResult(resultsDir, "spots/counts"), order, nGenes),
  };
  const { nCells, nGenes: nFound, rows } = await readResult(resultsDir, "cells/rate");
  // As many as the truth's own.
  const rates = await rows(Uint32Array.from(Array(nCells).keys()));
  const rateOf = (cell: number, row: Float32Array): void =>
    order.forEach((to, from) => {
      if (to >= 0) row[to] = rates[cell * nFound + from]!;
    });
  const random = new Random(tissue.parameters.seed);
  const shuffled = Int32Array.from(matched);
  random.shuffle(shuffled);
  const spotOf = await readResult(resultsDir, "cells/spot");
  const counts = inTruthOrder(await readResult(resultsDir, "cells/counts"), order, nGenes);
  return {
    rate: ofMatched(rateOf, matched),
    counts: ofMatched((cell, row) => {
      for (let k = counts.indptr[cell]; k < counts.indptr[cell + 1]; k++) {
        row[counts.indices[k]] += counts.data[k];
      }
    }, matched),
    shuffled: ofMatched(rateOf, shuffled),
    shuffledInSpots: ofMatched(rateOf, shuffledWithin(matched, spotOf, random)),
    nearest: nearestSpot(tissue, spots),
    interpolation: interpolation(tissue, spots),
    typesFitted: trueTypesFitted(tissue, spots),
    oracleType: oracleTypeMean(tissue),
    noiseFree: noiseFreeRate(tissue),
  };
}

/** A method's prediction for a true cell is that for its paired detected cell, or nothing if there is none. */
export function ofMatched(predict: CellPrediction, partner: Int32Array): CellPrediction {
  return (cell, row) => {
    if (partner[cell] >= 0) predict(partner[cell], row);
  };
}

/** Pairs each true cell with another detected cell of the same spot. */
function shuffledWithin(matched: Int32Array, spotOf: Int32Array, random: Random): Int32Array {
  const groups = new Map<number, number[]>();
  matched.forEach((found, cell) => {
    if (found < 0) return;
    const group = groups.get(spotOf[found]) ?? [];
    group.push(cell);
    groups.set(spotOf[found], group);
  });
  const result = Int32Array.from(matched);
  for (const cells of groups.values()) {
    const partners = Int32Array.from(cells, (cell) => matched[cell]);
    random.shuffle(partners);
    cells.forEach((cell, i) => (result[cell] = partners[i]!));
  }
  return result;
}
