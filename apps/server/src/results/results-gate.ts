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
 * is asked afterward, so that nobody learns of another's project.
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
  async function opened<T>(userId: string, use: "seen" | "taken", owned: () => Promise<T>) {
    await entitlements.assertMaySee(userId);
    const results = await owned();
    if (use === "taken") await entitlements.assertMayTake(userId);
    return results;
  }
  const openedProject = (userId: string, projectId: string, use: "seen" | "taken") =>
    opened(userId, use, () => projects.owned(userId, projectId));
  const openedStudy = (userId: string, studyId: string, use: "seen" | "taken") =>
    opened(userId, use, () => studies.owned(userId, studyId));

  return async (route, { session, params, query }) => {
    const use = resultUse(route);
    if (use === "none") return null;
    const { project_id, id, token } = { ...(params as Named), ...(query as Named) };
    switch (route.access) {
      case "session":
        if (route.path.startsWith("/studies/")) {
          return openedStudy(session!.userId, id ?? "", use);
        }
        return openedProject(session!.userId, project_id ?? id ?? "", use);
      case "download": {
        const { userId, linked } = await downloadLinks.verify(token ?? "");
        const { kind, id, part } = linked;
        return kind === "study"
          ? { study: await openedStudy(userId, id, use), part }
          : { project: await openedProject(userId, id, use), part };
      }
      case "visualization":
        return visualizationLinks.verify(token ?? "");
      case "study_link": {
        const link = await visualizationLinks.verifyStudy(token ?? "");
        if (use === "taken" && !link.mayTake) throw new ApiError("download_not_in_trial");
        return link;
      }
      case "public":
        throw new Error(`${route.path} hands out results to anyone`);
    }
  };
}
