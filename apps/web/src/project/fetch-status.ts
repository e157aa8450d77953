import { status, type WorkflowStatus } from "@stipple/contract/routes/workflow";
import { perStep } from "@stipple/contract/steps";
import { api } from "../app/api.ts";

const BARE: Omit<WorkflowStatus, "status"> = {
  output_files: perStep(() => []),
  shiny_app: false,
  input_files: {},
  project_name: "",
  current_step: null,
  step_progress: 0,
  percent: 0,
  step_seconds: {},
  seconds_left: null,
  started_at: null,
  finished_at: null,
  log: [],
  error: null,
};

/** Fetches a project's status; fields missing from the response become empty. Throws the same errors as `api`. */
export async function fetchStatus(projectId: string, signal: AbortSignal): Promise<WorkflowStatus> {
  return whole(await api(status, { query: { project_id: projectId }, signal }));
}

export function whole(
  answer: Partial<WorkflowStatus> & Pick<WorkflowStatus, "status">,
): WorkflowStatus {
  return { ...BARE, ...answer, output_files: { ...BARE.output_files, ...answer.output_files } };
}
