import { saveSectionLandmarks, studyViews } from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { VisualizationLinks } from "../visualization/links.ts";
import { openSectionLandmarks } from "./landmarks.ts";
import type { Studies } from "./studies.ts";

/** Looking at the sections of a study together. */
export function studyViewRoutes(
  mount: Mount,
  parts: {
    studies: Studies;
    visualizationLinks: VisualizationLinks;
    database: Database;
    clock: Clock;
  },
): void {
  const { studies, visualizationLinks } = parts;
  const landmarks = openSectionLandmarks(parts);

  mount(studyViews, async ({ results: study }) => {
    const { samples } = await studies.read(study);
    const projects = samples.flatMap(({ project_id }) => project_id ?? []);
    const views = projects.map(async (id) => ({
      project_id: id,
      url: await visualizationLinks.issue({ id, userId: study.userId }),
    }));
    return {
      status: 200,
      body: { views: await Promise.all(views), landmarks: await landmarks.read(study.id) },
    };
  });

  mount(saveSectionLandmarks, async ({ session, params, body }) => {
    const { id } = await studies.owned(session.userId, params.id);
    await landmarks.save(id, body, session.email);
    return { status: 200, body: { landmarks: await landmarks.read(id) } };
  });
}
