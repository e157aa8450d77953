import type { WorkflowStatus } from "@stipple/contract/routes/workflow";

/** Whether there are results: step 7 has files. A list that the answer lacks has none. */
export function isComplete(
  status: { output_files?: Partial<WorkflowStatus["output_files"]> } | undefined,
): boolean {
  return (status?.output_files?.step_7?.length ?? 0) > 0;
}
