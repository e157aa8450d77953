import { LAST_STEP, saveSectionLandmarks, studyViews } from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import type { VisualizationLinks } from "../visualization/links.ts";
import { openSectionLandmarks } from "./landmarks.ts";
import type { Studies } from "./studies.ts";

/** Looking at the sections of a study together. */
export function studyViewRoutes(
  mount: Mount,
  parts: {
    studies: Studies;
    outputs: Outputs;
    visualizationLinks: VisualizationLinks;
    database: Database;
    clock: Clock;
  },
): void {
  const { studies, outputs, visualizationLinks } = parts;
  const landmarks = openSectionLandmarks(parts);

  mount(studyViews, async ({ results: study }) => {
    const { samples } = await studies.read(study);
    const views = samples.map(async ({ project_id: id }) => {
      const steps = id === null ? [] : await outputs.steps(id);
      if (id === null || !steps.some(({ step }) => step === LAST_STEP)) return [];
      const url = await visualizationLinks.issue({ id, userId: study.userId });
      return [{ project_id: id, url }];
    });
    return {
      status: 200,
      body: { views: (await Promise.all(views)).flat(), landmarks: await landmarks.read(study.id) },
    };
  });

  mount(saveSectionLandmarks, async ({ session, params, body }) => {
    const study = await studies.owned(session.userId, params.id);
    await landmarks.save(study, body, session.email);
    return { status: 200, body: { landmarks: await landmarks.read(study.id) } };
  });
}
