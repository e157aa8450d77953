import { createSampleProject } from "@stipple/contract/routes/projects";
import { runWorkflow } from "@stipple/contract/routes/workflow";
import { api, apiResponse, errorText } from "../app/api.ts";
import { analysisPath } from "../app/use-project-id.ts";
import { runTexts } from "./texts.ts";

/** The page of a new sample project, and the message to show there. */
export interface StartedSample {
  to: string;
  state: { projectId: string; showProgress: boolean; note: { text: string; failed: boolean } };
}

/**
 * Creates a project with the simulated tissue and starts it; nothing needs to be uploaded. Throws if the project cannot
 * be created. A project that cannot be started right away waits on its page, which says why.
 */
export async function startSample(): Promise<StartedSample> {
  const { project_id: projectId } = await api(createSampleProject);
  const at = (started: boolean, text: string): StartedSample => ({
    to: analysisPath(3, projectId),
    state: { projectId, showProgress: started, note: { text, failed: !started } },
  });
  try {
    await apiResponse(runWorkflow, { body: { project_id: projectId, start_step: 0 } });
    return at(true, runTexts.sampleStarted);
  } catch (error) {
    return at(false, runTexts.sampleWaits(errorText(error, runTexts.failedFallback)));
  }
}
