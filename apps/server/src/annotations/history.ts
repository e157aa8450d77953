import type { AnnotationHistoryEntry } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";

const LATEST = 200;
/** An entry names this many of its items. */
const NAMED = 3;

/** The latest changes, newest first. */
export async function historyOf(db: Db, projectId: string): Promise<AnnotationHistoryEntry[]> {
  const batches = await db
    .selectFrom("annotation_batches")
    .select(["revision", "at", "author", "undone", "restored"])
    .select((batch) =>
      batch
        .selectFrom("annotation_changes")
        .select(sql<number>`count(*)::integer`.as("count"))
        .whereRef("annotation_changes.project_id", "=", "annotation_batches.project_id")
        .whereRef("annotation_changes.revision", "=", "annotation_batches.revision")
        .as("count"),
    )
    .where("project_id", "=", projectId)
    .orderBy("revision", "desc")
    .limit(LATEST)
    .execute();
  const oldest = batches.at(-1)?.revision ?? 0;
  const named = await db
    .selectFrom("annotation_changes")
    .select(["revision", "kind", "label"])
    .select([sql<boolean>`before is null`.as("added"), sql<boolean>`after is null`.as("removed")])
    .where("project_id", "=", projectId)
    .where("revision", ">=", oldest)
    .where("position", "<", NAMED)
    .orderBy("position")
    .execute();
  return batches.map(({ at, count, ...batch }) => ({
    ...batch,
    at: at.toISOString(),
    count: count ?? 0,
    items: named
      .filter(({ revision }) => revision === batch.revision)
      .map(({ kind, label, added, removed }) => ({
        kind,
        label,
        what: added ? "added" : removed ? "removed" : "changed",
      })),
  }));
}
