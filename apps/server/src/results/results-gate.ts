import { resultUse } from "@stipple/contract/result-access";
import type { ResultsGate } from "../access/opened-results.ts";
import { ApiError } from "../http/api-error.ts";
import type { DownloadLinks } from "./download-links.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Projects } from "../projects/projects.ts";
import type { Studies } from "../studies/studies.ts";
import type { VisualizationLinks } from "../visualization/links.ts";

interface Named {
  project_id?: string;
  id?: string;
  token?: string;
}

/**
 * The rules are those of `RESULT_ACCESS`. Whether results may be seen is asked before whether the project exists,
 * because projects of an ended trial are soon deleted, and "not found" would not say why. Whether they may be taken away
 * is asked afterwards, so that nobody learns of another's project.
 */
export function openResultsGate({
  entitlements,
  projects,
  studies,
  visualizationLinks,
  downloadLinks,
}: {
  entitlements: Entitlements;
  projects: Projects;
  studies: Pick<Studies, "owned">;
  visualizationLinks: VisualizationLinks;
  downloadLinks: DownloadLinks;
}): ResultsGate {
  async function opened(userId: string, projectId: string, use: "seen" | "taken") {
    await entitlements.assertMaySee(userId);
    const project = await projects.owned(userId, projectId);
    if (use === "taken") await entitlements.assertMayTake(userId);
    return project;
  }

  async function openedStudy(userId: string, studyId: string, use: "seen" | "taken") {
    await entitlements.assertMaySee(userId);
    const study = await studies.owned(userId, studyId);
    if (use === "taken") await entitlements.assertMayTake(userId);
    return study;
  }

  return async (route, { session, params, query }) => {
    const use = resultUse(route);
    if (use === "none") return null;
    const { project_id, id, token } = { ...(params as Named), ...(query as Named) };
    switch (route.access) {
      case "session":
        if (route.path.startsWith("/studies/")) {
          return openedStudy(session!.userId, id ?? "", use);
        }
        return opened(session!.userId, project_id ?? id ?? "", use);
      case "download": {
        const { userId, linked } = await downloadLinks.verify(token ?? "");
        const { kind, id, part } = linked;
        return kind === "study"
          ? { study: await openedStudy(userId, id, use), part }
          : { project: await opened(userId, id, use), part };
      }
      case "visualization":
        return visualizationLinks.verify(token ?? "");
      case "study_link": {
        const opened = await visualizationLinks.verifyStudy(token ?? "");
        if (use === "taken" && !opened.mayTake) throw new ApiError("download_not_in_trial");
        return opened;
      }
      case "public":
        throw new Error(`${route.path} hands out results to anyone`);
    }
  };
}
