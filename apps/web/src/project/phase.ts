import type { QueueStatus, WorkflowStatus } from "@stipple/contract/routes/workflow";
import { LAST_STEP, STEP_NUMBERS, stepKey, type StepNumber } from "@stipple/contract/steps";
import type { Phase } from "./start-label.ts";

/** Steps whose list of output files is not empty. */
export function finishedSteps(status: Pick<WorkflowStatus, "output_files">): StepNumber[] {
  return STEP_NUMBERS.filter((number) => (status.output_files[stepKey(number)]?.length ?? 0) > 0);
}

/** Whether the workflow is complete: its last step has files. */
export function isComplete(status: Pick<WorkflowStatus, "output_files">): boolean {
  return status.output_files[stepKey(LAST_STEP)].length > 0;
}

/** A state that no longer changes on its own, so polling can stop. */
export function isFinal(status: WorkflowStatus): boolean {
  return isComplete(status) || ["failed", "cancelled"].includes(status.status);
}

/** Whether the queue's response is about this project. A response without a project id is about the one requested. */
export function isOf(projectId: string, queue: QueueStatus): boolean {
  return (queue.project_id ?? projectId) === projectId;
}

/**
 * Where this project stands. The server decides; `flagged` (started from this browser, no response yet) only fills the
 * gap before the first response. The queue response counts only if it is about this project, because it describes the
 * user's active workflow, whichever project that is.
 */
export function phaseOf(
  projectId: string,
  status: WorkflowStatus | undefined,
  queue: QueueStatus | undefined,
  flagged: boolean,
): Phase {
  if (!status) return flagged ? "processing" : "idle";
  if (isComplete(status)) return "completed";
  if (status.status === "failed") return "failed";
  if (status.status === "cancelled") return "canceled";
  if (queue?.has_workflow && isOf(projectId, queue))
    return queue.status === "pending" ? "queued" : "processing";
  if (status.status === "pending") return "queued";
  return status.status === "processing" ? "processing" : "idle";
}
