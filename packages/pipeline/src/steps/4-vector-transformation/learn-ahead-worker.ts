import { throwIfLeft } from "../../engine/tasks/left-task.ts";
import type { Membership } from "./fit-expression.ts";
import type { LearnWork } from "./learn-ahead-task.ts";
import { learnMembership } from "./learn-membership.ts";

/** Runs in a worker thread. */
export default function work(
  { tissue, options, done }: LearnWork,
  { fit }: { fit: number },
): Promise<Membership> {
  return learnMembership(tissue, "learned", fit, {
    ...options,
    overlap: tissue.overlap,
    counts: tissue.byGene,
    progress: (fraction) => (done[fit] = fraction),
    pause: () => {
      throwIfLeft();
      return Promise.resolve();
    },
  });
}
