import type { DownloadPartId, Route } from "@stipple/contract";
import { resultUse, type ResultRoute } from "@stipple/contract/result-access";
import type { Session } from "../accounts/sessions.ts";
import type { Context } from "../context.ts";
import type { OwnedProject } from "../projects/projects.ts";
import type { OpenedLink } from "../visualization/links.ts";

/** What a call about results has been let into: a project of the caller's, or what a signed link opens. */
export type OpenedResults<R extends Route> = R extends ResultRoute
  ? R["access"] extends "visualization"
    ? OpenedLink
    : R["access"] extends "download"
      ? { project: OwnedProject; part: DownloadPartId | undefined }
      : OwnedProject
  : null;

/** Asks, before every call, whether the plan of the results' owner allows what the call does with them. */
export type ResultsGate = (
  route: Route,
  call: { session: Session | null; params: unknown; query: unknown },
) => Promise<unknown>;

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
  visualizationLinks,
  downloadLinks,
}: Pick<
  Context,
  "entitlements" | "projects" | "visualizationLinks" | "downloadLinks"
>): ResultsGate {
  async function opened(userId: string, projectId: string, use: "seen" | "taken") {
    await entitlements.assertMaySee(userId);
    const project = await projects.owned(userId, projectId);
    if (use === "taken") await entitlements.assertMayTake(userId);
    return project;
  }

  return async (route, { session, params, query }) => {
    const use = resultUse(route);
    if (use === "none") return null;
    const { project_id, id, token } = { ...(params as Named), ...(query as Named) };
    switch (route.access) {
      case "session":
        return opened(session!.userId, project_id ?? id ?? "", use);
      case "download": {
        const link = await downloadLinks.verify(token ?? "");
        return { project: await opened(link.userId, link.projectId, use), part: link.part };
      }
      case "visualization":
        return visualizationLinks.verify(token ?? "");
      case "public":
        throw new Error(`${route.path} hands out results to anyone`);
    }
  };
}
