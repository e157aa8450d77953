import type { FitOptions, Membership, TissueData } from "./fit-expression.ts";
import { costOf, plainOf, WORTH_THREADS, type PlainOptions } from "./fit-side-by-side.ts";
import type { FitThreads } from "../../types/fit-threads.ts";
import { defineTask } from "@stipple/tasks/task";
import { throwIfLeft } from "@stipple/tasks/left-task";
import { learnMembership } from "./learn-membership.ts";

/** Memberships being learned on threads. */
export interface LearningAhead {
  /** One per fit. */
  memberships: readonly Promise<Membership>[];
  /** How much of the fits is done, as `fitExpression` would report it. */
  done(): number;
}

/**
 * Starts learning the memberships of the learned part on threads, before its weight is known: that choice leaves a
 * thread idle for much of its time. Undefined without features, where nothing is learned, and where the work is too
 * little to start threads. Results are bit-identical to those of `fitExpression` alone.
 */
export function learnAhead(
  tissue: TissueData,
  options: FitOptions,
  { tasks, signal }: FitThreads,
): LearningAhead | undefined {
  const { fits } = options;
  const order = { tissue: 0, weights: { learned: 1, looks: 0, place: 0 } };
  const cost = costOf([tissue], new Array(fits).fill(order), options);
  if (tissue.features.nCols === 0 || !tasks.isWorth(cost, WORTH_THREADS)) return undefined;
  const done = new Float32Array(new SharedArrayBuffer(4 * fits));
  // Groups by look are not learned.
  const shared = { tissue: { ...tissue, looks: [] }, options: plainOf(options), done };
  const inputs = Array.from({ length: fits }, (_, fit) => ({ fit }));
  const all = tasks.map(learnOnThread, { shared, inputs }, { signal });
  const memberships = inputs.map(({ fit }) => all.then((found) => found[fit]));
  // Errors surface where a membership is needed; until then, nobody is waiting.
  for (const each of memberships) each.catch(() => undefined);
  return { memberships, done: () => done.reduce((a, b) => a + b, 0) / fits };
}

/** Runs in a worker thread. `done`: progress of each fit, in memory shared between threads. */
export function learnOne(
  { tissue, options, done }: { tissue: TissueData; options: PlainOptions; done: Float32Array },
  { fit }: { fit: number },
): Promise<Membership> {
  return learnMembership(tissue, "learned", fit, {
    ...options,
    overlap: tissue.overlap,
    counts: tissue.byGene,
    progress: (fraction) => (done[fit] = fraction),
    pause: throwIfLeft,
  });
}

// ONNX Runtime is native code.
const learnOnThread = defineTask(import.meta.url, learnOne, { isNative: true });
