import { progressParts } from "../../engine/progress-parts.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { SAMPLES } from "../../model/limits.ts";
import type { StepContext } from "../../step.ts";
import { chooseParts, type PartsChoice } from "./choose-parts.ts";
import { fitExpression, prototypesFor, type ExpressionFit } from "./fit-expression.ts";
import { WATCH_MS } from "./fit-side-by-side.ts";
import type { Sample } from "./gather-sample.ts";
import { heldoutCorrelation, type Reliability } from "./heldout.ts";
import { learnAhead } from "./learn-ahead.ts";
import type { ProfilePool } from "./profile-pool.ts";
import type { ExpressionParameters } from "./step.ts";

/** What the parts of the step share. */
export interface Shared {
  pool: ProfilePool;
  /** Lets other work on this thread go on; throws if the run was canceled. */
  pause: () => Promise<void>;
  /** Side of the blocks of spots or bins that are held out, image px. */
  blockPx: number;
}

export interface LearnedParts {
  choice: PartsChoice;
  heldout: Reliability;
  fit: ExpressionFit;
}

/** Chooses the parts of the model by folds of spots, judges it in held-out blocks, and fits it to all spots. */
export async function learnParts(
  context: StepContext<ExpressionParameters>,
  { tissue, totals, usableSpots, evidence, scale }: Sample,
  { blockPx, ...shared }: Shared,
): Promise<LearnedParts> {
  const { params, settings, tasks, write, progress, signal } = context;
  const options = {
    ...params,
    seed: settings.seed,
    prototypes: prototypesFor(usableSpots, params.prototypes),
    ...shared,
  };
  const learning = learnAhead(tissue, options, { tasks, signal });
  await write("genes/spot_total", totals);
  await write("genes/excess", tissue.excess);
  const candidates = Array.from(totals.keys()).filter((g) => totals[g] >= params.reliableCounts);
  const quick = {
    ...options,
    gateSteps: Math.ceil(SAMPLES.QUICK_STEPS * params.gateSteps),
    others: { tasks, signal },
  };
  // Concurrently, because writing takes gigabytes on a large slide.
  const [choice] = await sideBySide(signal, [
    () =>
      chooseParts(tissue, candidates, {
        ...quick,
        progress: (fraction) => progress(0.03 + 0.22 * fraction),
      }),
    () => write("genes/spots", tissue.byGene),
  ]);
  const [ofFit, ofHeldout] = progressParts([0.3 - shareOfHalves(evidence), 0.2], (done) =>
    progress(0.25 + done),
  );
  // Independent: workers fit the folds while the gate is trained (by this thread in small samples), then the profiles
  // while this thread judges.
  const trained = Promise.withResolvers<void>();
  const watch = learning && setInterval(() => ofFit(learning.done()), WATCH_MS);
  const isTrained = (): void => {
    clearInterval(watch);
    trained.resolve();
  };
  const [heldout, fit] = await Promise.all([
    heldoutCorrelation(tissue, candidates, choice.weights, {
      ...quick,
      blockPx,
      micronsPerPixel: scale.micronsPerPixel,
      progress: ofHeldout,
      turn: trained.promise,
    }),
    // Second, because both start with work on this thread, and the folds keep the workers busy after theirs.
    shared
      .pause()
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
  return { choice, heldout, fit };
}

/** Share of the step's time for comparing split halves: bins belong to single cells, so theirs can be. */
export function shareOfHalves({ bins }: Sample["evidence"]): number {
  return bins ? 0.05 : 0;
}
