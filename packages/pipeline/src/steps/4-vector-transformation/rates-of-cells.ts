import { capturingSpots, nearestSpots, type NearestSpots } from "../../model/nearest-spots.ts";
import { FEATURES, RATES } from "../../model/constants.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import type { StepContext } from "../../step.ts";
import { areCoarse } from "./cell-correlation.ts";
import { scaleByRichness } from "./cell-richness.ts";
import { modelSentence, weightsOfParts, type ModelWeights } from "./expression-report.ts";
import {
  countsOfFineBins,
  fineEvidence,
  type FineCountsOfCells,
  type FineEvidence,
} from "./fine-counts.ts";
import type { ExpressionFit } from "./fit-expression.ts";
import type { Sample } from "./gather-sample.ts";
import type { LearnedParts, Shared } from "./learn-parts.ts";
import type { OwnBins } from "./own-bins/learn-from-halves.ts";
import type { ExpressionParameters } from "./step.ts";
import { addTypes, writeTypes } from "./types-part.ts";

export interface CellRates {
  fit: ExpressionFit;
  weights: ModelWeights;
  /** Spots around each cell, or bins that capture it. */
  near: NearestSpots;
  /** The cells' own 2 µm bins, and the evidence that they are; null without them. */
  fine: FineCountsOfCells | null;
  ofFine: FineEvidence | null;
  /** The cells' own bins and their exposure; null if spots contain many cells. */
  own: {
    bins: OwnBins;
    exposure: ExpressionFit["exposure"];
    are2um: boolean;
    areCoarse: boolean;
  } | null;
}

/** Turns what was fitted to spots into rates of cells, by the types or by the cells' own bins, and writes them. */
export async function ratesOfCells(
  context: StepContext<ExpressionParameters>,
  sample: Sample,
  { choice, heldout, fit: fitted }: LearnedParts,
  shared: Shared,
): Promise<CellRates> {
  const { evidence, tissue, scale } = sample;
  const { overlap, byGene, spotsXy, pitchPx } = tissue;
  const near = nearOf(sample);
  // Bins belong to single cells, so their totals measure the cells' RNA content.
  const fine = await countsOfFineBins(context);
  const ofFine = fine && fineEvidence(fitted, fine, overlap);
  // Bins belong to single cells, whose own counts say more than their types.
  const typed = evidence.shared
    ? await addTypes(
        context,
        sample,
        { fit: fitted, near, varying: heldout.varying },
        { ...shared, progress: (fraction) => context.progress(0.75 + 0.08 * fraction) },
      )
    : { fit: fitted, types: null, weight: 0 };
  const fit = ofFine
    ? ofFine.fit
    : evidence.ownBins
      ? scaleByRichness(fitted, near, spotTotals(byGene), overlap)
      : typed.fit;
  const weights = weightsOfParts(choice, typed.weight);
  context.log(modelSentence(fit, weights));
  await writeFit(context, sample, fit);
  if (typed.types) await writeTypes(context, sample.nCells, typed.types);
  // The finest bins of a cell count as one bin, at the cell.
  const bins =
    ofFine && fine
      ? {
          overlap: fine.capture,
          byGene: ofFine.byGene,
          near: ofFine.near,
          spotsXy: tissue.cellsXy,
          pitchPx,
        }
      : { overlap, byGene, near, spotsXy, pitchPx };
  const own = evidence.bins
    ? {
        bins,
        exposure: ofFine ? ofFine.exposure : fit.exposure,
        are2um: Boolean(ofFine),
        areCoarse: !ofFine && areCoarse(scale.pitchUm),
      }
    : null;
  return { fit, weights, near, fine, ofFine, own };
}

function nearOf({
  evidence,
  tissue: { overlap, cellsXy, spotsXy, pitchPx },
}: Sample): NearestSpots {
  return evidence.bins
    ? capturingSpots(overlap, FEATURES.NEAR_SPOTS)
    : nearestSpots(cellsXy, spotsXy, {
        lengthPx: RATES.NEAR_PITCHES * pitchPx,
        width: FEATURES.NEAR_SPOTS,
        // Others would add counts where the model expects none.
        use: Uint8Array.from({ length: overlap.nRows }, (_, s) =>
          Number(overlap.indptr[s + 1] > overlap.indptr[s]),
        ),
        always: false,
      });
}

async function writeFit(
  { write }: StepContext<ExpressionParameters>,
  { counts, nCells }: Sample,
  { k, membership, profile, efficiency, exposure }: ExpressionFit,
): Promise<void> {
  await write("cells/membership", { nRows: nCells, nCols: k, data: membership });
  await write("genes/profile", { nRows: k, nCols: counts.nCols, data: profile });
  await write("spots/efficiency", efficiency);
  await write("spots/exposure", { nRows: counts.nRows, nCols: k, data: exposure });
}
