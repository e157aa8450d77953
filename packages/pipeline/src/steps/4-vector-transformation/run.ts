import { setImmediate } from "node:timers/promises";
import { progressParts } from "../../engine/progress-parts.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { multiplyDense, transpose } from "@stipple/numerics/sparse";
import type { StepContext } from "../../step.ts";
import { allocateSideBySide } from "./allocate-side-by-side.ts";
import { evidenceOf } from "../../model/evidence.ts";
import { isWholeTranscriptome } from "../../model/whole-transcriptome.ts";
import { ownFeatures } from "../../model/cell-features.ts";
import { areCoarse } from "./cell-correlation.ts";
import { scaleByRichness } from "./cell-richness.ts";
import { chooseParts } from "./choose-parts.ts";
import { asOwnBins, countsOfFineBins, fineEvidence, writeFineEvidence } from "./fine-counts.ts";
import { expressionReport, modelSentence, weightsOfParts } from "./expression-report.ts";
import { fitExpression, prototypesFor, type TissueData } from "./fit-expression.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import { heldoutCorrelation } from "./heldout.ts";
import { countDispersion } from "./count-dispersion.ts";
import { geneExcess } from "./informative-genes.ts";
import { judgeGenes } from "./judge-genes.ts";
import { WATCH_MS } from "./fit-side-by-side.ts";
import { learnAhead } from "./learn-ahead.ts";
import { lookGroups } from "./look-groups.ts";
import { capturingSpots, nearestSpots, type NearestSpots } from "../../model/nearest-spots.ts";
import { captureNoun, countRows, rowNoun } from "../../model/row-noun.ts";
import { sharingCells } from "../../model/sharing-cells.ts";
import { blocksOf } from "./part-of-tissue.ts";
import { openProfilePool } from "./profile-pool.ts";
import type { ExpressionParameters } from "./step.ts";
import { addTypes, writeTypes } from "./types-part.ts";
import { PART_CHOICE, RATES, ALLOCATION } from "../../model/rate-constants.ts";

const { QUICK_STEPS } = PART_CHOICE;
const { NEAR_SPOTS, NEAR_PITCHES } = RATES;
const { SQUARE_UM } = ALLOCATION;

/** Infers the expression of each cell, allocates the observed UMIs to cells, and measures how reliable genes are. */
export async function run(context: StepContext<ExpressionParameters>): Promise<void> {
  const { params, settings, tasks, read, write, progress, log, warn, signal } = context;
  const pool = openProfilePool({ tasks, signal });
  const pause = async (): Promise<void> => {
    await setImmediate();
    throwIfCancelled(signal);
  };
  const scale = await read("sample/scale");
  const segmentation = await read("sample/segmentation");
  const evidence = evidenceOf(segmentation, scale);
  const rows = rowNoun(segmentation, scale);
  const features = evidence.ofCells
    ? ownFeatures(await read("cells/features"), await read("features/name"))
    : { data: new Float32Array(0), nCols: 0 };
  const { fits } = params;
  const [looks, { counts, byGene, dispersion, excess }] = await sideBySide(signal, [
    (either) => lookGroups(features, fits, { seed: settings.seed, tasks, signal: either }),
    () => countsByGene(context, pause),
  ]);
  const overlap = await read("spots/cells");
  const observed = await read("cells/observed");
  const spotsXy = await read("spots/xy");
  const cellsXy = await read("cells/xy");
  const pca = await read("spots/X_pca");
  const spotOf = await read("cells/spot");
  const nCells = cellsXy.nRows;
  const usable = spotsWithCells(overlap, counts);
  if (usable === 0) {
    throw new InputError(
      "No spot with counts is within reach of a cell, so expression cannot be inferred: check that the image and tissue_positions are from the same section.",
    );
  }
  progress(0.02);
  log(
    evidence.ofCells
      ? `Fitting ${counts.nCols.toLocaleString("en")} genes in ${countRows(nCells, rows)} from ${countRows(usable, captureNoun(scale))} with ${features.nCols} features per cell.`
      : `Fitting ${counts.nCols.toLocaleString("en")} genes in ${countRows(nCells, rows)}.`,
  );

  const pitchPx = scale.pitchUm / scale.micronsPerPixel;
  const tissue: TissueData = {
    overlap,
    byGene,
    features,
    looks,
    cellsXy,
    spotsXy,
    spotPca: { data: pca.data, nCols: pca.nCols },
    excess,
    dispersion,
    pitchPx,
    unevenSpots: evidence.shared,
  };
  const options = {
    seed: settings.seed,
    prototypes: prototypesFor(usable, params.prototypes),
    gateGenes: params.gateGenes,
    gateSteps: params.gateSteps,
    gateDecay: params.gateDecay,
    rounds: params.rounds,
    priorCells: params.priorCells,
    fits,
    pool,
    pause,
  };
  const learning = learnAhead(tissue, options, { tasks, signal });
  const totals = new Float64Array(counts.nCols);
  for (let k = 0; k < counts.indices.length; k++) totals[counts.indices[k]] += counts.data[k];
  await write("genes/spot_total", totals);
  await write("genes/excess", excess);
  const candidates = Array.from(totals.keys()).filter((g) => totals[g] >= params.reliableCounts);
  const quick = {
    ...options,
    gateSteps: Math.ceil(QUICK_STEPS * params.gateSteps),
    others: { tasks, signal },
  };
  // Concurrently, because writing takes gigabytes on a large slide.
  const [choice] = await sideBySide(signal, [
    () =>
      chooseParts(tissue, candidates, {
        ...quick,
        progress: (fraction) => progress(0.03 + 0.22 * fraction),
      }),
    () => write("genes/spots", byGene),
  ]);
  const blockPx = (params.blockPitches * Math.max(20, scale.pitchUm)) / scale.micronsPerPixel;
  // Bins belong to single cells, so their split halves are compared as well.
  const inHalves = evidence.bins ? 0.05 : 0;
  const [ofFit, ofHeldout] = progressParts([0.3 - inHalves, 0.2], (done) => progress(0.25 + done));
  // Independent: workers fit the folds while the gate is trained (by this thread in small samples), then the profiles
  // while this thread judges.
  const trained = Promise.withResolvers<void>();
  const watch = learning && setInterval(() => ofFit(learning.done()), WATCH_MS);
  const isTrained = (): void => {
    clearInterval(watch);
    trained.resolve();
  };
  const [heldout, fitted] = await Promise.all([
    heldoutCorrelation(tissue, candidates, choice.weights, {
      ...quick,
      blockPx,
      micronsPerPixel: scale.micronsPerPixel,
      progress: ofHeldout,
      turn: trained.promise,
    }),
    // Second, because both start with work on this thread, and the folds keep the workers busy after theirs.
    pause()
      .then(() =>
        fitExpression(tissue, choice.weights, {
          ...options,
          learned: learning?.memberships,
          progress: ofFit,
          trained: isTrained,
        }),
      )
      .finally(isTrained),
  ]);
  const near: NearestSpots = evidence.bins
    ? capturingSpots(overlap, NEAR_SPOTS)
    : nearestSpots(cellsXy, spotsXy, {
        lengthPx: NEAR_PITCHES * pitchPx,
        width: NEAR_SPOTS,
        always: false,
      });
  // Bins belong to single cells, so their totals measure the cells' RNA content.
  const fine = await countsOfFineBins(context);
  const expose = (members: Float32Array, k: number): Float32Array =>
    multiplyDense(overlap, members, k);
  const ofFine = fine && fineEvidence(fitted, fine, expose, NEAR_SPOTS);
  // Bins belong to single cells, whose own counts say more than their types.
  const typed = evidence.shared
    ? await addTypes(
        context,
        {
          fit: fitted,
          looks: features,
          near,
          overlap,
          byGene,
          spotPca: pca,
          looksHelp: choice.helps,
          varying: heldout.varying,
        },
        { pool, pause, progress: (fraction) => progress(0.75 + 0.08 * fraction) },
      )
    : { fit: fitted, types: null, weight: 0 };
  const fit = ofFine
    ? ofFine.fit
    : evidence.ownBins
      ? scaleByRichness(fitted, near, spotTotals(byGene), expose)
      : typed.fit;
  const weights = weightsOfParts(choice, typed.weight);
  log(modelSentence(fit, weights));
  const bins =
    ofFine && fine ? asOwnBins(ofFine, fine, tissue) : { overlap, byGene, near, spotsXy, pitchPx };
  const ownBins = evidence.bins ? bins : null;
  await write("cells/membership", { nRows: nCells, nCols: fit.k, data: fit.membership });
  await write("genes/profile", { nRows: fit.k, nCols: counts.nCols, data: fit.profile });
  await write("spots/efficiency", fit.efficiency);
  await write("spots/exposure", { nRows: counts.nRows, nCols: fit.k, data: fit.exposure });
  if (typed.types) await writeTypes(context, nCells, typed.types);
  const [ofGenes, ofAllocation] = progressParts([0.06 + inHalves, 0.08], (done) =>
    progress(0.83 - inHalves + done),
  );
  // This thread mostly judges genes while worker threads allocate the counts.
  const [allocation, { reliability, reliable, inCells, uncertainty }] = await sideBySide(signal, [
    async (either) =>
      fine ??
      allocateSideBySide(
        counts,
        byGene,
        {
          overlap: sharingCells({ evidence, overlap, observed, spotOf }),
          membership: fit.membership,
          profile: fit.profile,
          k: fit.k,
        },
        {
          tasks,
          signal: either,
          pause,
          progress: ofAllocation,
          giveBack: () => context.giveBack(counts),
          squares: () =>
            blocksOf(tissue, [...Array(counts.nRows).keys()], SQUARE_UM / scale.micronsPerPixel),
        },
      ),
    () =>
      judgeGenes(context, {
        fit,
        heldout,
        choice,
        own: ownBins && {
          bins: ownBins,
          exposure: ofFine ? ofFine.exposure : fit.exposure,
          are2um: Boolean(ofFine),
          areCoarse: !ofFine && areCoarse(scale.pitchUm),
        },
        byGene,
        segmentation,
        blockPx,
        pool,
        pause,
        progress: ofGenes,
      }),
  ]);
  await write("cells/rate_cv", uncertainty.cells);
  await write("genes/rate_cv", uncertainty.genes);
  await write(
    "sample/expression",
    expressionReport(
      choice,
      { reliability, reliable, inCells, uncertainty },
      { fit, weights },
      excess,
      params,
    ),
  );
  await write("cells/near_spot", { nRows: nCells, nCols: NEAR_SPOTS, data: near.spot });
  await write("cells/near_weight", { nRows: nCells, nCols: NEAR_SPOTS, data: near.weight });
  if (ofFine) await writeFineEvidence(context, ofFine);
  const inSpots = fine?.total ?? totals;
  assertConserved(inSpots, allocation.counts, allocation.unassigned);
  const total = inSpots.reduce((a, b) => a + b, 0);
  const lost = allocation.unassigned.reduce((a, b) => a + b, 0);
  log(
    `${Math.round(total - lost).toLocaleString("en")} of ${Math.round(total).toLocaleString("en")} observed UMIs were allocated to ${rows}s; every gene's total is conserved.`,
  );
  if (lost > 0.2 * total) {
    warn(
      `${Math.round((100 * lost) / total)}% of the observed UMIs are in spots without cells. Check the image and its alignment.`,
    );
  }
  progress(0.98);
  await write("cells/counts", allocation.counts);
  await write("genes/unassigned", allocation.unassigned);
  progress(1);
}

/** The spots' counts, also by gene, and how much genes vary between spots. */
async function countsByGene(
  { read, progress }: StepContext<ExpressionParameters>,
  pause: () => Promise<void>,
): Promise<
  { counts: SparseMatrix } & Required<Pick<TissueData, "byGene" | "dispersion" | "excess">>
> {
  const counts = await read("spots/counts");
  progress(0.01);
  const byGene = transpose(counts, { shared: true });
  await pause();
  // In a targeted panel, even the least variable gene may truly differ between cells.
  const dispersion = isWholeTranscriptome(byGene.nRows) ? countDispersion(byGene) : 0;
  const excess = geneExcess(byGene, dispersion);
  await pause();
  return { counts, byGene, dispersion, excess };
}

/** Number of spots with counts and at least one cell within reach. */
function spotsWithCells(overlap: SparseMatrix, counts: SparseMatrix): number {
  let n = 0;
  for (let s = 0; s < overlap.nRows; s++) {
    if (overlap.indptr[s + 1] > overlap.indptr[s] && counts.indptr[s + 1] > counts.indptr[s]) n++;
  }
  return n;
}

/** Throws if a gene's counts do not add up: always a bug, never the data. */
function assertConserved(totals: Float64Array, cells: SparseMatrix, rest: Float64Array): void {
  const sums = rest.slice();
  for (let k = 0; k < cells.indices.length; k++) sums[cells.indices[k]] += cells.data[k];
  totals.forEach((total, g) => {
    if (total !== sums[g]) {
      throw new Error(`Gene ${g}: ${sums[g]} counts were allocated where ${total} were observed`);
    }
  });
}
