import {
  compareStudy,
  studyFile,
  studyQuality,
  studySpace,
  studySpacePoints,
} from "@stipple/contract";
import type { Database } from "../db/database.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import { openStudyAnswers } from "./answers.ts";
import type { Studies } from "./studies.ts";
import type { StudyComputing } from "./study-computing.ts";

/** What a study shows its owner of its samples' results. */
export function answerRoutes(
  mount: Mount,
  parts: {
    database: Database;
    studies: Studies;
    outputs: Outputs;
    studyComputing: StudyComputing;
  },
): void {
  const answers = openStudyAnswers(parts);

  mount(studyQuality, async ({ results: study }) => ({
    status: 200,
    body: await answers.quality(await parts.studies.read(study)),
  }));
  mount(compareStudy, ({ results: study, query }) => answers.comparison(study, query));
  mount(studySpace, ({ results: study, query }) => answers.space(study, query));
  mount(studySpacePoints, ({ results: study, query }) => answers.points(study, query));
  mount(studyFile, ({ results: study, query }) => answers.file(study, query));
}
