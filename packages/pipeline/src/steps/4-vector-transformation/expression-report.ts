import { counted } from "@stipple/contract/counted";
import type { CaptureNoun } from "../../model/row-noun.ts";
import type { ExpressionReport } from "../../facts.ts";
import { median } from "@stipple/numerics/quantile";
import type { PartsChoice } from "./choose-parts.ts";
import { bySource } from "./choose-source.ts";
import type { ExpressionFit, PartWeights } from "./fit-expression.ts";
import type { Reliability } from "./heldout.ts";
import { mostInformative } from "./informative-genes.ts";
import type { JudgedGenes } from "./judge-genes.ts";
import type { LearnedFromHalves } from "./own-bins/learn-from-halves.ts";

/** Weight of every part of the model; they sum to 1. */
export type ModelWeights = PartWeights & { types: number };

/** The parts' weights in a model that also contains types with weight `ofTypes`. */
export function weightsOfParts({ weights }: PartsChoice, ofTypes: number): ModelWeights {
  const { learned, looks, place } = weights;
  const rest = 1 - ofTypes;
  return { learned: rest * learned, looks: rest * looks, place: rest * place, types: ofTypes };
}

/** One line for the log. */
export function modelSentence({ models, k }: ExpressionFit, weights: ModelWeights): string {
  const percent = (share: number): string => `${Math.round(100 * share)}%`;
  const fits = counted(models.length, "fit");
  return `Expression model: ${fits}, ${k} prototypes. Model weights: learned ${percent(weights.learned)}, morphology ${percent(weights.looks)}, location ${percent(weights.place)}, cell types ${percent(weights.types)}.`;
}

/** Model report, in addition to the log. */
export function expressionReport(
  choice: PartsChoice,
  { reliability, reliable, inCells, uncertainty }: JudgedGenes,
  { fit, weights, noun }: { fit: ExpressionFit; weights: ModelWeights; noun: CaptureNoun },
  excess: Float64Array,
  params: Record<string, number>,
): ExpressionReport {
  const { ofModel, source, varying, medians, nSpots, folds, blockUm } = reliability;
  const judged = ofModel.filter((_, gene) => varying[gene] === 1);
  const expected = inCells.filter((r, gene) => varying[gene] === 1 && Number.isFinite(r));
  const cv = uncertainty.cells.filter(Number.isFinite);
  return {
    morphologyHelps: choice.helps,
    morphologyGain: choice.helps === null ? null : choice.correlation - choice.shuffled,
    morphologySentence: morphologySentence(choice, noun),
    nReliableGenes: reliable.reduce((a, b) => a + b, 0),
    nJudgedGenes: judged.length,
    medianHeldoutPcc: judged.length > 0 ? median(judged) : null,
    medianHeldoutPccInterpolation: medians && medians.interpolation,
    medianHeldoutPccRate: medians && medians[source],
    medianCellPcc: expected.length > 0 ? median(expected) : null,
    genesFrom: bySource((name) => (source === name ? ofModel.length : 0)),
    heldoutSpots: nSpots,
    heldoutFolds: folds,
    heldoutBlockUm: blockUm,
    medianRateCv: cv.length > 0 ? median(cv) : null,
    prototypes: fit.k,
    fits: fit.models.length,
    informativeGenes: mostInformative(excess, params["gateGenes"]).genes.length,
    settings: {
      ...params,
      shareLearned: weights.learned,
      shareLooks: weights.looks,
      sharePlace: weights.place,
      shareTypes: weights.types,
    },
  };
}

function morphologySentence(
  { helps, bins, correlation, shuffled }: PartsChoice,
  noun: CaptureNoun,
): string {
  if (helps === null) {
    return `We couldn't test whether cell shape and stain help, because there are too few ${noun}s or no cells with features.`;
  }
  const figures = `correlation for the most variable genes ${correlation.toFixed(2)}, or ${shuffled.toFixed(2)} when neighboring cells swap their appearance`;
  if (bins) {
    return helps
      ? `Cell shape and stain add to the bins' own counts (${figures}).`
      : `Cell shape and stain add nothing measurable to the bins' own counts (${figures}).`;
  }
  return helps
    ? `Cell shape and stain help to predict expression in held-out spots (${figures}).`
    : `Cell shape and stain help little or not at all to predict expression in held-out spots (${figures}). For single cells, expect no more than interpolation between spots.`;
}

/** Reports the split-half check of the rates. */
export function reportHalves(
  { shape, source, medians, nBins }: LearnedFromHalves,
  places: string,
  log: (line: string) => void,
): void {
  if (!medians) return;
  log(
    `Split-half check on the counts of ${nBins.toLocaleString("en")} ${places}: correlation of one half with rates from the other ${medians.model.toFixed(2)}, with smoothed bins ${medians.interpolation.toFixed(2)} (medians over genes). The model weighs ${median(shape).toPrecision(2)} times as much as a cell's own bins${source === "model" ? "" : ", but is not used: rates are those of the bins"}.`,
  );
}

/** Reports the results on held-out spots for genes and morphology. */
export function reportReliability(
  choice: PartsChoice,
  { ofModel, varying, medians, source, nSpots, folds, blockUm }: Reliability,
  reliable: Uint8Array,
  {
    log,
    warn,
    noun,
  }: { log: (line: string) => void; warn: (line: string) => void; noun: CaptureNoun },
): void {
  if (medians === null) {
    warn(
      `There are too few ${noun}s to hold any out, so we couldn't measure how reliable genes are. Rates are interpolated between ${noun}s.`,
    );
    return;
  }
  const nReliable = reliable.reduce((a, b) => a + b, 0);
  const ofRates = choice.bins
    ? ""
    : `, interpolation ${medians.interpolation.toFixed(2)}, rates ${medians[source].toFixed(2)}`;
  log(
    `Check on ${nSpots.toLocaleString("en")} held-out ${noun}s (${folds} folds of ${Math.round(blockUm)} µm blocks). Median correlation with the counts: model alone ${median(ofModel.filter((_, gene) => varying[gene] === 1)).toFixed(2)}${ofRates}. ${counted(nReliable, "gene is", "genes are")} reliable.`,
  );
  if (source !== "model") {
    warn(
      `In held-out ${noun}s, neighboring ${noun}s predict better than the model does, so rates are interpolated between ${noun}s, not inferred for single cells.`,
    );
  }
  if (choice.helps === true) log(morphologySentence(choice, noun));
  if (choice.helps === false) warn(morphologySentence(choice, noun));
}
