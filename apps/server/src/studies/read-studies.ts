import type { ListedStudy, Study } from "@stipple/contract";
import type { OwnedStudy } from "../access/opened-results.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { designVersion } from "./design-rows.ts";
import type { Projects } from "../projects/projects.ts";

export interface StudyParts {
  database: Database;
  clock: Clock;
  entitlements: Pick<Entitlements, "storageExpiry">;
  projects: Pick<Projects, "list">;
}

/** An account's studies, newest first. */
export async function listStudies(parts: StudyParts, userId: string): Promise<ListedStudy[]> {
  const { entitlements } = parts;
  const { db } = parts.database;
  const rows = await db
    .selectFrom("studies")
    .select(["id", "name", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  const samples = await db
    .selectFrom("study_samples")
    .innerJoin("studies", "studies.id", "study_samples.study_id")
    .select(["study_id", "project_id"])
    .where("studies.user_id", "=", userId)
    .execute();
  const ids = [...new Set(samples.flatMap(({ project_id }) => project_id ?? []))];
  const ends = await entitlements.storageExpiry(userId, ids);
  return rows.map(({ id, name, created_at }) => {
    const own = samples.filter(({ study_id }) => study_id === id);
    return {
      ...{ id, name, created_at: created_at.toISOString(), samples: own.length },
      storage_expiry: earliest(own.map(({ project_id }) => ends.get(project_id ?? ""))),
    };
  });
}

/** Throws study_not_found. */
export async function readStudy(parts: StudyParts, { id, userId }: OwnedStudy): Promise<Study> {
  const { projects } = parts;
  const { db } = parts.database;
  const row = await db
    .selectFrom("studies")
    .select(["name", "columns", "created_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw new ApiError("study_not_found");
  const samples = await db
    .selectFrom("study_samples")
    .leftJoin("waiting_runs", "waiting_runs.project_id", "study_samples.project_id")
    .select(["study_samples.project_id", "name", "condition", "patient", "batch", "more"])
    .select(["asked_at", "refusal"])
    .where("study_id", "=", id)
    .orderBy("position")
    .execute();
  const own = new Map((await projects.list(userId)).map((one) => [one.id, one]));
  const shown = samples.map(({ asked_at, refusal, ...sample }) => {
    const project = own.get(sample.project_id ?? "");
    return {
      ...sample,
      name: project?.name ?? sample.name,
      status: project?.status ?? null,
      storage_expiry: project?.storage_expiry ?? null,
      ...{ waits: asked_at !== null && refusal === null, refusal },
    };
  });
  return {
    ...{ id, name: row.name, created_at: row.created_at.toISOString(), columns: row.columns },
    version: designVersion({ columns: row.columns, samples }),
    samples: shown,
    storage_expiry: earliest(
      shown.map(({ storage_expiry: end }) => (end === null ? null : new Date(end))),
    ),
  };
}

function earliest(ends: readonly (Date | null | undefined)[]): string | null {
  const times = ends.flatMap((end) => (end ? [end.getTime()] : []));
  return times.length > 0 ? new Date(Math.min(...times)).toISOString() : null;
}
