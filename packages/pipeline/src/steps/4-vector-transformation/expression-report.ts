import type { ExpressionReport } from "../../facts.ts";
import { median } from "../../numerics/pearson.ts";
import type { PartsChoice } from "./choose-parts.ts";
import type { ExpressionFit } from "./fit-expression.ts";
import type { Reliability } from "./heldout.ts";

/** What is told of the model beside the log. */
export function expressionReport(
  choice: PartsChoice,
  { correlation, interpolation, nSpots, folds, blockUm }: Reliability,
  reliable: Uint8Array,
  fit: ExpressionFit,
  cellCv: Float32Array,
  params: Record<string, number>,
): ExpressionReport {
  const judged = correlation.filter(Number.isFinite);
  const cv = cellCv.filter(Number.isFinite);
  const { learned, looks, place } = choice.weights;
  return {
    morphologyHelps: choice.helps,
    morphologyGain: choice.helps === null ? null : choice.correlation - choice.shuffled,
    morphologySentence: morphologySentence(choice),
    nReliableGenes: reliable.reduce((a, b) => a + b, 0),
    nJudgedGenes: judged.length,
    medianHeldoutPcc: judged.length > 0 ? median(judged) : null,
    medianHeldoutPccInterpolation: judged.length > 0 ? interpolation : null,
    heldoutSpots: nSpots,
    heldoutFolds: folds,
    heldoutBlockUm: blockUm,
    medianRateCv: cv.length > 0 ? median(cv) : null,
    prototypes: fit.k,
    fits: fit.models.length,
    informativeGenes: params["gateGenes"],
    settings: {
      ...params,
      shareLearned: learned,
      shareLooks: looks,
      sharePlace: place,
    },
  };
}

function morphologySentence(choice: PartsChoice): string {
  const { helps, bins, looks } = choice;
  if (helps === null) {
    return "Whether cell shape and stain help could not be tried: there are too few spots, or no cells with features.";
  }
  if (bins) {
    const figures = `correlation ${choice.correlation.toFixed(2)}, and ${choice.shuffled.toFixed(2)} with the looks of neighboring cells exchanged`;
    return helps
      ? `Cell shape and stain add to what the bins themselves count (${figures}).`
      : `Cell shape and stain add nothing measurable to what the bins themselves count (${figures}).`;
  }
  const figures = `correlation of the most variable genes ${looks.correlation.toFixed(2)}, and ${looks.shuffled.toFixed(2)} with the looks of neighboring cells exchanged`;
  return helps
    ? `Cell shape and stain alone predict expression in spots that the model had not seen (${figures}).`
    : `Cell shape and stain alone predict little or nothing in spots that the model had not seen (${figures}): expect no more of single cells than of interpolation between spots.`;
}

/** Tells what the held-out spots say about the genes and about morphology. */
export function reportReliability(
  choice: PartsChoice,
  { correlation, interpolation, nSpots, folds, blockUm }: Reliability,
  reliable: Uint8Array,
  { log, warn }: { log: (line: string) => void; warn: (line: string) => void },
): void {
  if (folds === 0) {
    warn("There are too few spots to hold any out, so gene reliability could not be measured.");
    return;
  }
  const nReliable = reliable.reduce((a, b) => a + b, 0);
  log(
    `Held-out check on ${nSpots.toLocaleString("en")} spots (${folds} folds of ${Math.round(blockUm)} µm blocks): median correlation ${median(correlation).toFixed(2)}, interpolation ${interpolation.toFixed(2)}, ${nReliable.toLocaleString("en")} reliable genes`,
  );
  if (choice.helps === true) log(morphologySentence(choice));
  if (choice.helps === false) warn(morphologySentence(choice));
}
