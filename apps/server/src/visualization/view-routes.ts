import * as routes from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { ok } from "../http/ok.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Projects } from "../projects/projects.ts";
import { removeView, saveView, viewsOf } from "./views.ts";

interface ViewRouteParts {
  clock: Clock;
  database: Database;
  projects: Projects;
}

export function viewRoutes(mount: Mount, parts: ViewRouteParts): void {
  const { database, projects } = parts;
  mount(routes.visualizationViews, ({ results }) => ok(viewsOf(database.db, results.projectId)));

  mount(
    routes.saveView,
    async ({ session, params, body }) => {
      const { id } = await projects.owned(session.userId, params.id);
      return { status: 201, body: await saveView(parts, id, body.name, body.state) };
    },
    {
      explain: () =>
        new ApiError("invalid_request", "A saved view needs a name and a state (a JSON object)."),
    },
  );

  mount(routes.deleteView, async ({ session, params }) => {
    const { id } = await projects.owned(session.userId, params.id);
    await removeView(database.db, id, params.view);
    return ok({ message: "View deleted." });
  });
}
