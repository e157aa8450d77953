import { deleteView, saveView, visualizationViews } from "@stipple/contract";
import type { Projects } from "../projects/projects.ts";
import type { Views } from "./views.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";

export function viewRoutes(
  mount: Mount,
  { projects, views }: { projects: Projects; views: Views },
): void {
  mount(visualizationViews, async ({ results }) => ({
    status: 200,
    body: await views.list(results.projectId),
  }));

  mount(
    saveView,
    async ({ session, params, body }) => {
      const { id } = await projects.owned(session.userId, params.id);
      return { status: 201, body: await views.save(id, body.name, body.state) };
    },
    {
      explain: () =>
        new ApiError("invalid_request", "A saved view needs a name and a state (a JSON object)."),
    },
  );

  mount(deleteView, async ({ session, params }) => {
    const { id } = await projects.owned(session.userId, params.id);
    await views.remove(id, params.view);
    return { status: 200, body: { message: "View deleted." } };
  });
}
