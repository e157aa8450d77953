import type { WorkflowStatus } from "@stipple/contract/routes/workflow";
import { STEP_NUMBERS, type StepNumber } from "@stipple/contract/steps";
import { finishedSteps } from "../../project/phase.ts";
import type { Phase } from "../../project/start-label.ts";

export type StepState = "done" | "running" | "failed" | "waiting";

/** The first step without output files, or undefined when all have some. */
export function nextStep(status: Pick<WorkflowStatus, "output_files">): StepNumber | undefined {
  const finished = finishedSteps(status);
  return STEP_NUMBERS.find((number) => !finished.includes(number));
}

/**
 * What the list shows for a step: the one in progress spins; in a failed run, the first unfinished step is marked as
 * failed.
 */
export function stepState(
  step: StepNumber,
  status: WorkflowStatus | undefined,
  phase: Phase,
): StepState {
  if (!status) return "waiting";
  if (phase === "processing" && status.current_step === step) return "running";
  if (finishedSteps(status).includes(step)) return "done";
  if (phase === "failed" && (status.current_step ?? nextStep(status)) === step) return "failed";
  return "waiting";
}
