import type { SparseMatrix } from "@stipple/numerics/matrices";
import {
  areCoarse,
  betweenBinsOf,
  poorImageOf,
  sampleOf,
  signalsOf,
} from "@stipple/pipeline/internal/steps/4-vector-transformation/cell-correlation";
import { visibilityOf } from "@stipple/pipeline/internal/steps/4-vector-transformation/shrink-reliability";
import { readResult } from "@stipple/pipeline/results";
import { RATE_SOURCES } from "@stipple/contract";
import type { KnownTissue } from "@stipple/tissue";
import { median } from "@stipple/numerics/quantile";
import { pearsonPerGene } from "@stipple/tissue/metrics/correlation";
import { ownPredictions } from "@stipple/tissue/metrics/predictions";
import { geneOrder } from "@stipple/tissue/metrics/truth-order";
import type { TissueFolders } from "./tissues.ts";

/** Median over genes of the correlation, over all true cells, with the rates from which the counts were drawn. */
export interface Correlations {
  genes: number;
  rate: number;
  /** Distance-weighted counts of the spots around a cell. */
  interpolation: number;
  /** The rate with cells shuffled within each spot: spot-level information only. */
  shuffledInSpots: number;
  /** Mean rate of the cell's true type. */
  trueType: number;
}

/** An evaluated gene: its features, known without the truth, and its rate's correlation with the true cells' counts. */
export interface JudgedGene {
  signals: number[];
  reliable: boolean;
  /** Whether it certainly varies between spots. */
  varies: boolean;
  correlation: number;
}

/** Quality of a result's single cells, judged by the ground truth. */
export interface Worth {
  /** Over the genes that the result calls reliable; null if none. */
  reliable: Correlations | null;
  /** Over the genes with enough UMIs for evaluation; null if none. */
  judged: Correlations | null;
  /** Share of true cells found. */
  found: number;
  genes: JudgedGene[];
}

/** `matched`: the found cell for each true cell, or −1. */
export async function worthOf(
  truth: KnownTissue,
  { tissue, results }: TissueFolders,
  matched: Int32Array,
): Promise<Worth> {
  const order = await geneOrder(truth, results);
  const predictions = await ownPredictions(truth, {
    truthDir: tissue,
    resultsDir: results,
    matched,
    order,
  });
  const known = noiseFree(truth);
  const r = {
    rate: pearsonPerGene(known, predictions.rate),
    interpolation: pearsonPerGene(known, predictions.interpolation),
    shuffledInSpots: pearsonPerGene(known, predictions.shuffledInSpots),
    trueType: pearsonPerGene(known, predictions.oracleType),
  };
  const over = (counts: (gene: number) => boolean): Correlations | null => {
    const genes = order.flatMap((to, from) => (to >= 0 && counts(from) ? [to] : []));
    if (genes.length === 0) return null;
    const of = (values: Float64Array): number => median(genes.map((gene) => values[gene]));
    return {
      genes: genes.length,
      rate: of(r.rate),
      interpolation: of(r.interpolation),
      shuffledInSpots: of(r.shuffledInSpots),
      trueType: of(r.trueType),
    };
  };
  const reliable = await readResult(results, "genes/reliable");
  const heldout = await readResult(results, "genes/heldout_pcc");
  const excess = await readResult(results, "genes/excess");
  const varies = (gene: number): boolean => excess[gene] > 0;
  const counted = pearsonPerGene(truth.counts, predictions.rate);
  const signals = await geneSignals(results, heldout, varies, truth.parameters.fineBins);
  const genes = order.flatMap((to, gene): JudgedGene[] =>
    to < 0 || !Number.isFinite(heldout[gene])
      ? []
      : [
          {
            signals: signals(gene),
            reliable: reliable[gene] === 1,
            varies: varies(gene),
            correlation: counted[to],
          },
        ],
  );
  return {
    genes,
    reliable: over((gene) => reliable[gene] === 1),
    judged: over((gene) => Number.isFinite(heldout[gene])),
    found: matched.reduce((n, other) => n + (other >= 0 ? 1 : 0), 0) / truth.nCells,
  };
}

/** The noise-free rates as a sparse matrix with every value stored. */
function noiseFree({ rates: { nRows, nCols, data } }: KnownTissue): SparseMatrix {
  return {
    nRows,
    nCols,
    indptr: Uint32Array.from({ length: nRows + 1 }, (_, row) => row * nCols),
    indices: Uint32Array.from({ length: nRows * nCols }, (_, i) => i % nCols),
    data,
  };
}

/** Features from which a gene's expected correlation is computed. */
async function geneSignals(
  results: string,
  heldout: Float32Array,
  varies: (gene: number) => boolean,
  are2um: boolean,
): Promise<(gene: number) => number[]> {
  const membership = await readResult(results, "cells/membership");
  const { data: profile } = await readResult(results, "genes/profile");
  const visibility = visibilityOf({ membership: membership.data, profile, k: membership.nCols });
  const source = await readResult(results, "genes/rate_source");
  const { morphologyGain, medianHeldoutPccInterpolation } = await readResult(
    results,
    "sample/expression",
  );
  const { spotShape, pitchUm } = await readResult(results, "sample/scale");
  const bins = spotShape === "square";
  const sample = sampleOf(heldout, visibility, varies, {
    lookGain: morphologyGain,
    bins,
    betweenBins: bins ? betweenBinsOf(medianHeldoutPccInterpolation, are2um) : 0,
    coarseBins: bins && !are2um && areCoarse(pitchUm),
    poorImage: poorImageOf(await readResult(results, "sample/segmentation")),
  });
  return (gene) =>
    signalsOf(
      {
        heldout: heldout[gene],
        visibility: visibility[gene],
        isModel: RATE_SOURCES[source[gene]] === "model",
      },
      sample,
    ).map((value) => Number(value.toFixed(4)));
}
