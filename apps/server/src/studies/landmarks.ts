import { fitAffine } from "@stipple/contract/affine";
import type { SectionLandmarkSet } from "@stipple/contract/routes/study-view";
import type { OwnedStudy } from "../access/opened-results.ts";
import { audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { lockRow } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";

interface AskedLandmarks {
  between: readonly [string, string];
  points: readonly (readonly [number, number, number, number])[];
}

/** Landmarks between sections of a study, by its id. */
export interface SectionLandmarks {
  /** Those between projects that are in the study now. */
  read(studyId: string): Promise<SectionLandmarkSet[]>;
  /** Replaces those between two sections. Throws invalid_request. */
  save(study: OwnedStudy, asked: AskedLandmarks, author: string): Promise<void>;
}

export function openSectionLandmarks(parts: {
  database: Database;
  clock: Clock;
}): SectionLandmarks {
  const { database, clock } = parts;
  const { db } = database;

  async function projectsOf(studyId: string): Promise<Set<string>> {
    const rows = await db
      .selectFrom("study_samples")
      .select("project_id")
      .where("study_id", "=", studyId)
      .execute();
    return new Set(rows.flatMap(({ project_id }) => project_id ?? []));
  }

  return {
    async read(studyId) {
      const inStudy = await projectsOf(studyId);
      const rows = await db
        .selectFrom("study_landmarks")
        .select(["first", "second", "points", "author", "at"])
        .where("study_id", "=", studyId)
        .orderBy("at")
        .orderBy("first")
        .orderBy("second")
        .execute();
      return rows
        .filter(({ first, second }) => inStudy.has(first) && inStudy.has(second))
        .map(({ first, second, at, ...row }) => ({
          ...row,
          between: [first, second],
          at: at.toISOString(),
        }));
    },
    async save({ id: studyId, userId, name }, { between: [first, second], points }, author) {
      const inStudy = await projectsOf(studyId);
      const areTwo = first !== second || points.length === 0;
      if (!areTwo || !inStudy.has(first) || !inStudy.has(second)) {
        throw new ApiError("invalid_request", "Landmarks are between two sections of this study.");
      }
      const from = points.flatMap(([x, y]) => [x, y]);
      const to = points.flatMap(([, , x, y]) => [x, y]);
      if (points.length > 0 && !fitAffine(from, to)) {
        throw new ApiError(
          "invalid_request",
          "Sections are matched by three landmarks or more that do not lie on a line: add some.",
        );
      }
      await database.transaction(async (transaction) => {
        // Simultaneous calls wait here, so that each replaces what the one before has kept.
        await lockRow(transaction, "studies", studyId);
        await transaction
          .deleteFrom("study_landmarks")
          .where("study_id", "=", studyId)
          .where("first", "in", [first, second])
          .where("second", "in", [first, second])
          .execute();
        const about = { study: name };
        await audit(transaction, { userId, what: "study_landmarks_changed", about });
        if (points.length === 0) return;
        await transaction
          .insertInto("study_landmarks")
          .values({
            ...{ study_id: studyId, first, second, author, at: clock.now() },
            points: JSON.stringify(points),
          })
          .execute();
      });
    },
  };
}
