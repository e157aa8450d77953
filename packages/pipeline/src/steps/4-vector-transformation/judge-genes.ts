import { RATE_SOURCES } from "@stipple/contract";
import { progressParts } from "../../engine/progress-parts.ts";
import type { StepContext } from "../../step.ts";
import { asMatrix, betweenBinsOf, cellCorrelation, poorImageOf } from "./cell-correlation.ts";
import { captureNoun } from "../../model/row-noun.ts";
import { reportHalves, reportReliability } from "./expression-report.ts";
import type { Sample } from "./gather-sample.ts";
import type { Reliability } from "./heldout.ts";
import type { LearnedParts, Shared } from "./learn-parts.ts";
import { learnFromHalves } from "./own-bins/learn-from-halves.ts";
import { blocksOf, spotsWithCells } from "./part-of-tissue.ts";
import type { CellRates } from "./rates-of-cells.ts";
import type { ExpressionParameters } from "./step.ts";
import { shrinkReliability, visibilityOf } from "./shrink-reliability.ts";
import { rateUncertainty, type RateUncertainty } from "./uncertainty.ts";
import { RATES } from "../../model/constants.ts";

export interface JudgedGenes {
  reliability: Reliability;
  /** 1 for genes with reliable rates. */
  reliable: Uint8Array;
  /** nGenes: correlation expected over single cells; NaN if unknown. */
  inCells: Float32Array;
  uncertainty: RateUncertainty;
}

/**
 * Determines the reliability, source, and uncertainty of every gene's rates, then writes and reports them. If cells
 * have their own bins, this includes a split-half comparison.
 */
export async function judgeGenes(
  { params, settings, write, log, warn, progress }: StepContext<ExpressionParameters>,
  { segmentation, scale, tissue: { byGene } }: Sample,
  { heldout, choice }: LearnedParts,
  { fit, own }: CellRates,
  { pool, pause, blockPx }: Shared,
): Promise<JudgedGenes> {
  const [ofHalves, ofUncertainty] = progressParts([own ? 1 / 3 : 0, own ? 2 / 3 : 1], progress);
  const halves =
    own &&
    (await learnFromHalves(
      own.bins,
      { ...fit, exposure: own.exposure },
      {
        varying: heldout.varying,
        seed: settings.seed,
        blocks: blocksOf(own.bins, spotsWithCells(own.bins.overlap), blockPx),
        pause,
        progress: ofHalves,
      },
    ));
  // Held-out blocks cannot evaluate a cell's own bins, which are the best evidence on an HD slide, so there they only judge
  // the model, and the source is chosen by split halves of the bins' counts.
  const judged =
    halves && heldout.medians
      ? { ...heldout, source: halves.source, medians: halves.medians }
      : heldout;
  const visibility = visibilityOf(fit);
  const ofModel = shrinkReliability(judged.ofModel, visibility, judged.noise);
  const ofRates = shrinkReliability(judged.ofRates, visibility, judged.noise);
  const isModel = judged.source === "model";
  const reliability = { ...judged, ofModel, ofRates };
  const correlation = isModel ? ofModel : ofRates;
  // Rates smoothed from spots carry no information on single cells, however well they predict other spots.
  const reliable = Uint8Array.from(correlation, (r, gene) =>
    isModel && judged.varying[gene] === 1 && r >= params.reliableCorrelation ? 1 : 0,
  );
  reportReliability(choice, reliability, reliable, { log, warn, noun: captureNoun(scale) });
  if (halves) {
    reportHalves(halves, own?.are2um ? "cells, each with its own 2 µm bins" : "bins", log);
  }
  await write("genes/heldout_pcc", correlation);
  await write("genes/reliable", reliable);
  await write(
    "genes/rate_source",
    new Uint8Array(byGene.nRows).fill(RATE_SOURCES.indexOf(reliability.source)),
  );
  await write(
    "genes/rate_shape",
    halves?.shape ?? new Float32Array(byGene.nRows).fill(RATES.SHAPE_OF_SPOTS),
  );
  // If rows are whole spots, there is no expectation over single cells.
  const ofCells = segmentation.method === "spot_level" ? correlation.map(() => NaN) : correlation;
  const inCells = cellCorrelation({
    heldout: ofCells,
    visibility,
    isModel,
    varies: (gene) => judged.varying[gene] === 1,
    lookGain: choice.helps === null ? null : choice.correlation - choice.shuffled,
    bins: own !== null,
    betweenBins: betweenBinsOf(halves?.medians?.interpolation ?? null, own?.are2um === true),
    coarseBins: own?.areCoarse === true,
    poorImage: poorImageOf(segmentation),
  });
  await write("genes/cell_pcc", asMatrix(inCells));
  const uncertainty = await rateUncertainty(fit, byGene, reliable, {
    seed: settings.seed,
    priorCells: params.priorCells,
    pool,
    pause,
    progress: ofUncertainty,
  });
  return { reliability, reliable, inCells: inCells.expected, uncertainty };
}
