import { RATE_SOURCES } from "@stipple/contract";
import { progressParts } from "../../engine/progress-parts.ts";
import type { Field, SparseMatrix } from "../../fields.ts";
import type { StepContext } from "../../step.ts";
import { asMatrix, cellCorrelation, poorImageOf } from "./cell-correlation.ts";
import type { PartsChoice } from "./choose-parts.ts";
import { judgedByHalves, reportHalves, reportReliability } from "./expression-report.ts";
import type { ExpressionFit } from "./fit-expression.ts";
import type { Reliability } from "./heldout.ts";
import { learnFromHalves, type OwnBins } from "./own-bins/learn-from-halves.ts";
import { blocksOf, spotsWithCells } from "./part-of-tissue.ts";
import type { ProfilePool } from "./profile-pool.ts";
import type { ExpressionParameters } from "./step.ts";
import { shrinkReliability, visibilityOf } from "./shrink-reliability.ts";
import { rateUncertainty, type RateUncertainty } from "./uncertainty.ts";

/** Shape of the prior around the model's rate where spots around a cell are the evidence. */
const SHAPE_OF_SPOTS = 10;

/** What genes are judged by. */
export interface GeneEvidence {
  fit: ExpressionFit;
  /** How the genes did in held-out spots. */
  heldout: Reliability;
  choice: PartsChoice;
  /** Bins that are cells' own, and what they are exposed to; null where spots hold many cells. */
  own: { bins: OwnBins; exposure: ExpressionFit["exposure"]; are2um: boolean } | null;
  /** nGenes × nSpots counts. */
  byGene: SparseMatrix;
  segmentation: Field<"sample/segmentation">;
  /** Side of the blocks of bins that are halved, image px. */
  blockPx: number;
  pool: ProfilePool;
  pause: () => Promise<void>;
  progress: (fraction: number) => void;
}

export interface JudgedGenes {
  reliability: Reliability;
  /** 1 for genes whose rates can be relied on. */
  reliable: Uint8Array;
  /** nGenes: correlation expected over single cells; NaN where it is unknown. */
  inCells: Float32Array;
  uncertainty: RateUncertainty;
}

/**
 * Says of every gene how far its rates can be trusted, where they come from, and how sure they are; writes and reports it. Where
 * bins are cells' own, their halves are compared as well.
 */
export async function judgeGenes(
  { params, settings, write, log, warn }: StepContext<ExpressionParameters>,
  { fit, heldout, choice, own, byGene, segmentation, blockPx, pool, pause, progress }: GeneEvidence,
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
  const judged = halves ? judgedByHalves(heldout, halves) : heldout;
  const visibility = visibilityOf(fit);
  const ofModel = shrinkReliability(judged.ofModel, visibility, judged.noise);
  const ofRates = shrinkReliability(judged.ofRates, visibility, judged.noise);
  const isModel = (gene: number): boolean => RATE_SOURCES[judged.source[gene]] === "model";
  const reliability = { ...judged, ofModel, ofRates };
  const correlation = ofModel.map((r, gene) => (isModel(gene) ? r : ofRates[gene]));
  // Rates smoothed from spots say nothing about single cells, however well they predict other spots.
  const reliable = Uint8Array.from(correlation, (r, gene) =>
    isModel(gene) && judged.varying[gene] === 1 && r >= params.reliableCorrelation ? 1 : 0,
  );
  reportReliability(choice, reliability, reliable, { log, warn });
  if (halves) {
    reportHalves(halves, own?.are2um ? "cells, each with its own 2 µm bins" : "bins", log);
  }
  await write("genes/heldout_pcc", correlation);
  await write("genes/reliable", reliable);
  await write("genes/rate_source", reliability.source);
  await write(
    "genes/rate_shape",
    halves?.shape ?? new Float32Array(byGene.nRows).fill(SHAPE_OF_SPOTS),
  );
  // Nothing is expected over single cells where rows are whole spots.
  const ofCells = segmentation.method === "spot_level" ? correlation.map(() => NaN) : correlation;
  const inCells = cellCorrelation({
    heldout: ofCells,
    visibility,
    isModel,
    varies: (gene) => judged.varying[gene] === 1,
    lookGain: choice.helps === null ? null : choice.correlation - choice.shuffled,
    bins: own !== null,
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
