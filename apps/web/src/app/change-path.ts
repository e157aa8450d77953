import { analysisPath } from "./use-project-id.ts";

export const CHANGE_PARAMETER = "change";

/** Address of a project's results with "Change and run again" open, with an analysis type proposed in it if given. */
export function changePath(projectId: string, analysisType?: "basic" | "advanced"): string {
  return `${analysisPath(4, projectId)}&${CHANGE_PARAMETER}=${analysisType ?? "settings"}`;
}
