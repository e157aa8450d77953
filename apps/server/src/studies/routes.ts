import * as routes from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import type { VisualizationLinks } from "../visualization/links.ts";
import type { Shares } from "../visualization/shares.ts";
import { openStudyAnswers } from "./answers.ts";
import { openSectionLandmarks, type SectionLandmarks } from "./landmarks.ts";
import type { Studies } from "./studies.ts";
import type { StudyComputing } from "./study-computing.ts";

interface StudyRouteParts {
  clock: Clock;
  database: Database;
  outputs: Outputs;
  shares: Shares;
  studies: Studies;
  studyComputing: StudyComputing;
  visualizationLinks: VisualizationLinks;
}
type Answers = ReturnType<typeof openStudyAnswers>;

export function studyRoutes(mount: Mount, parts: StudyRouteParts): void {
  const answers = openStudyAnswers(parts);
  const landmarks = openSectionLandmarks(parts);
  ownStudyRoutes(mount, parts);
  shareRoutes(mount, parts);
  guestRoutes(mount, parts, answers, landmarks);
  answerRoutes(mount, parts, answers);
  viewRoutes(mount, parts, landmarks);
}

function ownStudyRoutes(mount: Mount, { studies }: StudyRouteParts): void {
  mount(routes.listStudies, ({ session }) => ok(studies.list(session.userId)));

  mount(routes.createStudy, async ({ session, body }) => ({
    status: 201,
    body: { id: await studies.create(session.userId, body.name, body.project_ids) },
  }));

  mount(routes.readStudy, async ({ session, params }) =>
    ok(studies.read(await studies.owned(session.userId, params.id))),
  );

  mount(routes.changeStudy, async ({ session, params, body }) => {
    const study = await studies.owned(session.userId, params.id);
    await studies.change(study, body, body.version);
    return ok(studies.read(study));
  });

  mount(routes.renameStudy, async ({ session, params, body }) => {
    await studies.rename(await studies.owned(session.userId, params.id), body.name);
    return ok({ message: "Study renamed." });
  });

  mount(routes.deleteStudy, async ({ session, params }) => {
    await studies.remove(await studies.owned(session.userId, params.id));
    return ok({ message: "Study deleted." });
  });
}

/** The owner's share links of a study. */
function shareRoutes(mount: Mount, { studies, shares }: StudyRouteParts): void {
  mount(routes.listStudyShares, async ({ session, params }) => {
    const { id } = await studies.owned(session.userId, params.id);
    return ok(shares.list({ kind: "study", id }));
  });

  mount(routes.createStudyShare, async ({ results: study, body }) => ({
    status: 201,
    body: await shares.create({ kind: "study", ...study }, body.days, body.note),
  }));

  mount(routes.revokeStudyShare, async ({ session, params }) => {
    const study = await studies.owned(session.userId, params.id);
    await shares.revoke({ kind: "study", ...study }, params.share);
    return ok({ message: "Share link revoked." });
  });
}

/** What a share link shows of a study. Those who have it change nothing. */
function guestRoutes(
  mount: Mount,
  { studies, shares, visualizationLinks }: StudyRouteParts,
  answers: Answers,
  landmarks: SectionLandmarks,
): void {
  mount(routes.sharedStudy, async ({ results: link }) => {
    if (link.unopenedShare) await shares.opened(link.unopenedShare);
    const study = await studies.read(link.study);
    const samples = study.samples.map(
      async ({ project_id, status, name, condition, patient, batch, more }) => ({
        ...{ project_id, name, condition, patient, batch, more },
        view:
          project_id !== null && status === "completed"
            ? await visualizationLinks.issueOfStudy(link, project_id)
            : null,
      }),
    );
    const matches = await landmarks.read(study.id);
    return ok({
      ...{ name: study.name, columns: study.columns, samples: await Promise.all(samples) },
      quality: await answers.quality(study),
      // Not who placed them.
      landmarks: matches.map(({ between, points }) => ({ between, points })),
      may_export: link.mayTake,
      expires_at: link.expiresAt.toISOString(),
    });
  });

  mount(routes.sharedComparison, ({ results, query }) => answers.comparison(results.study, query));
  mount(routes.sharedSpace, ({ results, query }) => answers.space(results.study, query));
  mount(routes.sharedSpacePoints, ({ results, query }) => answers.points(results.study, query));
  mount(routes.sharedStudyFile, ({ results, query }) => answers.file(results.study, query));
}

/** What a study shows its owner of its samples' results. */
function answerRoutes(mount: Mount, { studies }: StudyRouteParts, answers: Answers): void {
  mount(routes.studyQuality, async ({ results: study }) =>
    ok(answers.quality(await studies.read(study))),
  );
  mount(routes.compareStudy, ({ results: study, query }) => answers.comparison(study, query));
  mount(routes.studySpace, ({ results: study, query }) => answers.space(study, query));
  mount(routes.studySpacePoints, ({ results: study, query }) => answers.points(study, query));
  mount(routes.studyFile, ({ results: study, query }) => answers.file(study, query));
}

/** Looking at the sections of a study together. */
function viewRoutes(
  mount: Mount,
  { studies, outputs, visualizationLinks }: StudyRouteParts,
  landmarks: SectionLandmarks,
): void {
  mount(routes.studyViews, async ({ results: study }) => {
    const { samples } = await studies.read(study);
    const views = samples.map(async ({ project_id: id }) => {
      const steps = id === null ? [] : await outputs.steps(id);
      if (id === null || !steps.some(({ step }) => step === routes.LAST_STEP)) return [];
      const url = await visualizationLinks.issue({ id, userId: study.userId });
      return [{ project_id: id, url }];
    });
    const shown = (await Promise.all(views)).flat();
    return ok({ views: shown, landmarks: await landmarks.read(study.id) });
  });

  mount(routes.saveSectionLandmarks, async ({ session, params, body }) => {
    const study = await studies.owned(session.userId, params.id);
    await landmarks.save(study, body, session.email);
    return ok({ landmarks: await landmarks.read(study.id) });
  });
}
