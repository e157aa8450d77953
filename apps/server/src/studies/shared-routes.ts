import {
  sharedComparison,
  sharedSpace,
  sharedSpacePoints,
  sharedStudy,
  sharedStudyFile,
} from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import type { VisualizationLinks } from "../visualization/links.ts";
import type { Shares } from "../visualization/shares.ts";
import { openStudyAnswers } from "./answers.ts";
import { openSectionLandmarks } from "./landmarks.ts";
import type { Studies } from "./studies.ts";
import type { StudyComputing } from "./study-computing.ts";

/** What a share link shows of a study. Those who have it change nothing. */
export function sharedStudyRoutes(
  mount: Mount,
  parts: {
    studies: Studies;
    outputs: Outputs;
    studyComputing: StudyComputing;
    shares: Pick<Shares, "opened">;
    visualizationLinks: VisualizationLinks;
    database: Database;
    clock: Clock;
  },
): void {
  const answers = openStudyAnswers(parts);
  const landmarks = openSectionLandmarks(parts);

  mount(sharedStudy, async ({ results: link }) => {
    if (link.unopenedShare) await parts.shares.opened(link.unopenedShare);
    const study = await parts.studies.read(link.study);
    const samples = study.samples.map(
      async ({ project_id, status, name, condition, patient, batch, more }) => ({
        ...{ project_id, name, condition, patient, batch, more },
        view:
          project_id !== null && status === "completed"
            ? await parts.visualizationLinks.issueOfStudy(link, project_id)
            : null,
      }),
    );
    const matches = await landmarks.read(study.id);
    return {
      status: 200,
      body: {
        ...{ name: study.name, columns: study.columns, samples: await Promise.all(samples) },
        quality: await answers.quality(study),
        // Not who placed them.
        landmarks: matches.map(({ between, points }) => ({ between, points })),
        may_export: link.mayTake,
        expires_at: link.expiresAt.toISOString(),
      },
    };
  });

  mount(sharedComparison, ({ results: { study }, query }) => answers.comparison(study, query));
  mount(sharedSpace, ({ results: { study }, query }) => answers.space(study, query));
  mount(sharedSpacePoints, ({ results: { study }, query }) => answers.points(study, query));
  mount(sharedStudyFile, ({ results: { study }, query }) => answers.file(study, query));
}
