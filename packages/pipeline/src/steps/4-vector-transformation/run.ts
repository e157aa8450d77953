import { columnSums } from "@stipple/numerics/sparse";
import { pause } from "../../engine/pause.ts";
import { progressParts } from "../../engine/progress-parts.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { FEATURES } from "../../model/constants.ts";
import { SAMPLES } from "../../model/limits.ts";
import { captureNoun } from "../../model/row-noun.ts";
import { sharingCells } from "../../model/sharing-cells.ts";
import type { StepContext } from "../../step.ts";
import { allocateSideBySide } from "./allocate-side-by-side.ts";
import type { Allocation } from "./allocation.ts";
import { expressionReport } from "./expression-report.ts";
import { writeFineEvidence } from "./fine-counts.ts";
import { fittingSentence, gatherSample, type Sample } from "./gather-sample.ts";
import { judgeGenes } from "./judge-genes.ts";
import { learnParts, shareOfHalves, type Shared } from "./learn-parts.ts";
import { blocksOf } from "./part-of-tissue.ts";
import { openProfilePool } from "./profile-pool.ts";
import { ratesOfCells, type CellRates } from "./rates-of-cells.ts";
import type { ExpressionParameters } from "./step.ts";

/** Infers the expression of each cell, allocates the observed UMIs to cells, and measures how reliable genes are. */
export async function run(context: StepContext<ExpressionParameters>): Promise<void> {
  const { params, tasks, write, progress, log, signal } = context;
  const sample = await gatherSample(context, () => pause(signal));
  const { evidence, scale, tissue, nCells } = sample;
  const shared = {
    pool: openProfilePool({ tasks, signal }),
    pause: () => pause(signal),
    blockPx: (params.blockPitches * Math.max(20, scale.pitchUm)) / scale.micronsPerPixel,
  };
  progress(0.02);
  log(fittingSentence(sample));
  const learned = await learnParts(context, sample, shared);
  const rates = await ratesOfCells(context, sample, learned, shared);
  const { fit, weights, near, fine, ofFine } = rates;
  const ofHalves = shareOfHalves(evidence);
  const [ofGenes, ofAllocation] = progressParts([0.06 + ofHalves, 0.08], (done) =>
    progress(0.83 - ofHalves + done),
  );
  // This thread mostly judges genes while worker threads allocate the counts.
  const [allocation, judged] = await sideBySide(signal, [
    async (either) =>
      fine ??
      allocate({ ...context, signal: either, progress: ofAllocation }, sample, rates, shared),
    () => judgeGenes({ ...context, progress: ofGenes }, sample, learned, rates, shared),
  ]);
  await write("cells/rate_cv", judged.uncertainty.cells);
  await write("genes/rate_cv", judged.uncertainty.genes);
  await write(
    "sample/expression",
    expressionReport(
      learned.choice,
      judged,
      { fit, weights, noun: captureNoun(scale) },
      tissue.excess,
      params,
    ),
  );
  await write("cells/near_spot", { nRows: nCells, nCols: FEATURES.NEAR_SPOTS, data: near.spot });
  await write("cells/near_weight", {
    nRows: nCells,
    nCols: FEATURES.NEAR_SPOTS,
    data: near.weight,
  });
  if (ofFine) await writeFineEvidence(context, ofFine);
  tellAllocated(context, sample, fine?.total ?? sample.totals, allocation);
  progress(0.98);
  await write("cells/counts", allocation.counts);
  await write("genes/unassigned", allocation.unassigned);
  progress(1);
}

/** Shares the spots' counts among the cells that they capture. */
async function allocate(
  context: StepContext<ExpressionParameters>,
  { evidence, scale, counts, tissue }: Sample,
  { fit }: CellRates,
  { pause }: Shared,
): Promise<Allocation> {
  const { read, tasks, signal, progress } = context;
  const { overlap, byGene } = tissue;
  const observed = await read("cells/observed");
  const spotOf = await read("cells/spot");
  return allocateSideBySide(
    counts,
    byGene,
    {
      overlap: sharingCells({ evidence, overlap, observed, spotOf }),
      membership: fit.membership,
      profile: fit.profile,
      k: fit.k,
    },
    {
      ...{ tasks, signal, pause, progress },
      giveBack: () => context.giveBack(counts),
      squares: () =>
        blocksOf(
          tissue,
          [...Array(counts.nRows).keys()],
          SAMPLES.ALLOCATION_UM / scale.micronsPerPixel,
        ),
    },
  );
}

/** Says how many counts the cells got. Throws if a gene's counts do not add up: always a bug, never the data. */
function tellAllocated(
  { log, warn }: StepContext<ExpressionParameters>,
  { rows, scale }: Sample,
  totals: Float64Array,
  { counts, unassigned }: Allocation,
): void {
  const sums = columnSums(counts).map((sum, g) => sum + unassigned[g]);
  totals.forEach((total, g) => {
    if (total !== sums[g]) {
      throw new Error(`Gene ${g}: ${sums[g]} counts were allocated where ${total} were observed`);
    }
  });
  const total = totals.reduce((a, b) => a + b, 0);
  const lost = unassigned.reduce((a, b) => a + b, 0);
  log(
    `${Math.round(total - lost).toLocaleString("en")} of ${Math.round(total).toLocaleString("en")} observed UMIs were allocated to ${rows}s; every gene's total is conserved.`,
  );
  if (lost > 0.2 * total) {
    warn(
      `${Math.round((100 * lost) / total)}% of the observed UMIs are in ${captureNoun(scale)}s without cells. Check the image and its alignment.`,
    );
  }
}
