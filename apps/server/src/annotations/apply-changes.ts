import { annotationLabel, MAX_ANNOTATIONS, type AnnotationChange } from "@stipple/contract";
import { LARGEST_ANNOTATIONS_BYTES } from "@stipple/contract/annotations";
import { sql } from "kysely";
import { audit } from "../audit/audit.ts";
import type { Db } from "../db/database.ts";
import { showing, sizeOf } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";

/** A project whose row is locked: changes of its annotations come one after another. */
export interface LockedProject {
  id: string;
  userId: string;
  name: string;
  revision: number;
}

/** Who changes, and when. */
export interface Change {
  author: string;
  at: Date;
}

/** An item's state before and after a change; null = it is not there. */
export interface ItemChange {
  id: string;
  kind: AnnotationChange["kind"];
  before: object | null;
  after: object | null;
  /** JSON of `after`, if it is at hand: values have up to 8 MB. */
  text?: string;
}

/** JSON of an item's new value. */
export function textOf({ after, text }: ItemChange): string {
  return text ?? JSON.stringify(after);
}

/** Throws project_not_found. */
export async function lockProject(transaction: Db, projectId: string): Promise<LockedProject> {
  const row = await transaction
    .selectFrom("projects")
    .select(["id", "user_id", "name", "annotation_revision"])
    .where("id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new ApiError("project_not_found");
  return { id: row.id, userId: row.user_id, name: row.name, revision: row.annotation_revision };
}

/** Writes the items as they are after the changes, as the project's next revision, which it returns. Throws limit_reached. */
export async function writeItems(
  transaction: Db,
  project: LockedProject,
  changes: readonly ItemChange[],
  { author, at }: Change,
): Promise<number> {
  const revision = project.revision + 1;
  const gone = changes.filter(({ after }) => after === null).map(({ id }) => id);
  if (gone.length > 0) {
    await transaction
      .deleteFrom("annotations")
      .where("project_id", "=", project.id)
      .where((is) => is("id", "=", is.fn.any(is.val(gone))))
      .execute();
  }
  const there = changes.filter(({ after }) => after !== null);
  const rows = there.map((one) => {
    const { id, kind } = one;
    return `{"id":${JSON.stringify(id)},"kind":"${kind}","value":${textOf(one)}}`;
  });
  await sql`
    insert into annotations (project_id, id, kind, value, bytes, revision, author, at)
    select ${project.id}, id, kind, value, octet_length(value::text), ${revision}, ${author}, ${at}
    from json_to_recordset(${`[${rows.join()}]`}::json) as written (id text, kind text, value json)
    on conflict (project_id, id) do update set
      kind = excluded.kind, value = excluded.value, bytes = excluded.bytes,
      revision = excluded.revision, author = excluded.author, at = excluded.at`.execute(
    transaction,
  );
  if (there.length > 0) await assertWithinLimits(transaction, project.id);
  await transaction
    .updateTable("projects")
    .set({ annotation_revision: revision })
    .where("id", "=", project.id)
    .execute();
  await noteForVisitors(transaction, project, at);
  return revision;
}

async function assertWithinLimits(transaction: Db, projectId: string): Promise<void> {
  const { count, bytes } = await sizeOf(
    transaction.selectFrom("annotations").where("project_id", "=", projectId),
  );
  if (count > MAX_ANNOTATIONS) {
    throw new ApiError(
      "limit_reached",
      `A project can have ${MAX_ANNOTATIONS.toLocaleString("en-US")} annotations. Delete some you no longer need.`,
    );
  }
  if (bytes > LARGEST_ANNOTATIONS_BYTES) {
    throw new ApiError(
      "limit_reached",
      "This project's annotations would exceed 64 MB in total. Delete some you no longer need, or draw regions with fewer corners.",
    );
  }
}

/** Others see a change only through share links; one line an hour says so. */
async function noteForVisitors(transaction: Db, project: LockedProject, at: Date): Promise<void> {
  const link = await transaction
    .selectFrom("share_links")
    .select("id")
    .where(showing(project.id))
    .where("expires_at", ">", at)
    .executeTakeFirst();
  if (!link) return;
  const noted = await transaction
    .selectFrom("audit_log")
    .select("id")
    .where("user_id", "=", project.userId)
    .where("what", "=", "annotations_changed")
    .where("at", ">", sql<Date>`now() - interval '1 hour'`)
    .where(sql<boolean>`about ->> 'project' = ${project.name}`)
    .executeTakeFirst();
  if (noted) return;
  const about = { project: project.name };
  await audit(transaction, { userId: project.userId, what: "annotations_changed", about });
}

/** The label of a change in the history. */
export function labelOf({ kind, before, after }: ItemChange): string {
  return annotationLabel({ kind, value: (after ?? before)! } as Parameters<
    typeof annotationLabel
  >[0]);
}
