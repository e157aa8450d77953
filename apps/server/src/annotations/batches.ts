import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import {
  labelOf,
  textOf,
  type Change,
  type ItemChange,
  type LockedProject,
} from "./apply-changes.ts";

/** How much of the history is kept per project; the latest change always is. */
const MAX_BATCHES = 1000;
const LARGEST_HISTORY_BYTES = 64_000_000;

/**
 * Keeps a change that is written to the items, so that it can be undone. Undone changes before it can no longer be
 * redone.
 */
export async function keepBatch(
  transaction: Db,
  project: LockedProject,
  batch: Change & { id: string; revision: number; restored: string | null },
  changes: readonly ItemChange[],
): Promise<void> {
  const rows = JSON.stringify(
    changes.map((change, position) => {
      const { id, kind, before } = change;
      return { id, kind, before, position, label: labelOf(change) };
    }),
  );
  const bytes = changes.reduce(
    (sum, change) => sum + Buffer.byteLength(textOf(change)),
    Buffer.byteLength(rows),
  );
  await transaction
    .insertInto("annotation_batches")
    .values({ ...batch, project_id: project.id, bytes })
    .execute();
  await sql`
    insert into annotation_changes (project_id, revision, position, id, kind, label, before, after)
    select ${project.id}, ${batch.revision}, position, changed.id, changed.kind, label,
      case when json_typeof(before) = 'object' then before end, annotations.value
    from json_to_recordset(${rows}::json)
      as changed (position integer, id text, kind text, label text, before json)
    left join annotations
      on annotations.project_id = ${project.id} and annotations.id = changed.id`.execute(
    transaction,
  );
  await sql`
    delete from annotation_batches where project_id = ${project.id} and revision in (
      select revision from (
        select revision, row_number() over latest as nth, sum(bytes) over latest as total
        from annotation_batches where project_id = ${project.id}
        window latest as (order by revision desc)) as kept
      where nth > 1 and (nth > ${MAX_BATCHES} or total > ${LARGEST_HISTORY_BYTES}))`.execute(
    transaction,
  );
}

/** The change that would be undone or redone next; null if there is none. */
export async function nextBatch(
  db: Db,
  projectId: string,
  which: "undo" | "redo",
): Promise<number | null> {
  const batches = db.selectFrom("annotation_batches").where("project_id", "=", projectId);
  const { latest } = await batches
    .select((select) => select.fn.max("revision").as("latest"))
    .where("undone", "=", false)
    .executeTakeFirstOrThrow();
  if (which === "undo") return latest;
  const { next } = await batches
    .select((select) => select.fn.min("revision").as("next"))
    .where("undone", "=", true)
    .where("revision", ">", latest ?? 0)
    .executeTakeFirstOrThrow();
  return next;
}

export async function markUndone(
  transaction: Db,
  projectId: string,
  revision: number,
  undone: boolean,
): Promise<void> {
  await transaction
    .updateTable("annotation_batches")
    .set({ undone })
    .where("project_id", "=", projectId)
    .where("revision", "=", revision)
    .execute();
}

/** What a change did to each item. */
export async function changesOf(
  db: Db,
  projectId: string,
  revision: number,
): Promise<ItemChange[]> {
  return db
    .selectFrom("annotation_changes")
    .select(["id", "kind", "before", "after"])
    .where("project_id", "=", projectId)
    .where("revision", "=", revision)
    .orderBy("position")
    .execute();
}
