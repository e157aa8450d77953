import {
  configureProject,
  createProject,
  deleteProject,
  listProjects,
  renameProject,
} from "@stipple/contract";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Projects } from "./projects.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount, MountOptions } from "../http/route-adapter.ts";
import { checkChoices } from "./choices.ts";
import { listed, projectsRead } from "./project-list.ts";

export function projectRoutes(
  mount: Mount,
  { entitlements, projects }: { entitlements: Entitlements; projects: Projects },
): void {
  mount(listProjects, ({ beside }) => ({ status: 200, body: listed(beside, entitlements) }), {
    beside: { read: projectsRead },
  });

  mount(
    createProject,
    async ({ session, body }) => {
      const settings = body.settings ?? {};
      checkChoices({ settings, parameters: {} });
      const { project_name: name, analysis_options: options } = body;
      const projectId = await projects.create(session.userId, name, options, settings);
      return { status: 201, body: { project_id: projectId } };
    },
    { explain: explainSetup },
  );

  mount(
    configureProject,
    async ({ session, params, body: { project_name: name, analysis_options: options } }) => {
      await projects.configure(session.userId, params.id, name, options);
      return { status: 200, body: { message: "Project changed." } };
    },
    { explain: explainSetup },
  );

  mount(
    renameProject,
    async ({ session, params, body }) => {
      await projects.rename(session.userId, params.id, body.project_name);
      return { status: 200, body: { message: "Project renamed." } };
    },
    { explain: () => new ApiError("project_name_required") },
  );

  mount(deleteProject, async ({ session, params }) => {
    const { studies } = await projects.remove(session.userId, params.id);
    const used =
      studies.length > 0
        ? ` It was a sample of ${studies.map((name) => `"${name}"`).join(", ")}.`
        : "";
    return { status: 200, body: { message: `Project deleted.${used}` } };
  });
}

/** Why a project's name and options were refused, in the page's own sentences. */
const explainSetup: NonNullable<MountOptions["explain"]> = (issues, body) => {
  const name = (body as { project_name?: unknown } | undefined)?.project_name;
  if (typeof name !== "string" || name.trim() === "") {
    return new ApiError("project_name_required");
  }
  if (issues.every(({ path }) => path[0] === "settings")) return undefined;
  const others = issues.filter((issue) => issue.path.at(-1) !== "resolution");
  return new ApiError(others.length === 0 ? "resolution_required" : "options_incomplete");
};
