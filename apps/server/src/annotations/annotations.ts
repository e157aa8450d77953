import type { Annotation, AnnotationKind } from "@stipple/contract";
import type { AnnotationStanding } from "@stipple/contract/routes/annotations";
import type { Clock } from "../clock.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { lockProject, writeItems, type ItemChange, type LockedProject } from "./apply-changes.ts";
import { changesOf, keepBatch, markUndone, nextBatch } from "./batches.ts";
import { checkedChanges, type AskedChange, type CheckedChange } from "./checked-changes.ts";

/** Who asks for a change. */
export interface By {
  projectId: string;
  author: string;
}

/** Items that now are so; null = gone. */
export type Changed = AnnotationStanding & { changed: { id: string; item: Annotation | null }[] };

/*
 * What people added to a project's results. Every change is kept with what was there before. Changes of one project
 * come one after another: each locks the project's row.
 */

export interface Services {
  clock: Clock;
  database: Database;
}

/** All items, or those of one kind. Throws project_not_found. */
export async function readAnnotations(
  db: Db,
  projectId: string,
  kind?: AnnotationKind,
): Promise<AnnotationStanding & { items: Annotation[] }> {
  const project = await db
    .selectFrom("projects")
    .select("annotation_revision")
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (!project) throw new ApiError("project_not_found");
  const items = await itemsOf(db, projectId, { kind });
  return { ...(await standingOf(db, projectId, project.annotation_revision)), items };
}

/**
 * All changes, or none. Throws annotations_changed if an item was changed since its revision, invalid_request,
 * upload_too_large, or limit_reached. A batch that is known changes nothing again.
 */
export async function changeAnnotations(
  { clock, database }: Services,
  { projectId, author }: By,
  batchId: string,
  asked: readonly AskedChange[],
): Promise<AnnotationStanding> {
  const changes = checkedChanges(asked);
  return database.transaction(async (transaction) => {
    const project = await lockProject(transaction, projectId);
    const repeated = await transaction
      .selectFrom("annotation_batches")
      .select("revision")
      .where("project_id", "=", projectId)
      .where("id", "=", batchId)
      .executeTakeFirst();
    if (repeated) return standingOf(transaction, projectId, repeated.revision);
    const effective = await effectiveChanges(transaction, projectId, changes);
    if (effective.length === 0) return standingOf(transaction, projectId, project.revision);
    const by = { author, at: clock.now() };
    const revision = await writeItems(transaction, project, effective, by);
    const batch = { ...by, id: batchId, revision, restored: null };
    await keepBatch(transaction, project, batch, effective);
    return standingOf(transaction, projectId, revision);
  });
}

/** Throws annotations_changed unless the project is at `revision`. Without anything to undo, nothing changes. */
export async function stepAnnotations(
  { clock, database }: Services,
  { projectId, author }: By,
  which: "undo" | "redo",
  revision: number,
): Promise<Changed> {
  return database.transaction(async (transaction) => {
    const project = await lockProject(transaction, projectId);
    assertKnown(project, revision);
    const batch = await nextBatch(transaction, projectId, which);
    if (batch === null) {
      return { ...(await standingOf(transaction, projectId, revision)), changed: [] };
    }
    const isUndo = which === "undo";
    const changes = (await changesOf(transaction, projectId, batch)).map(
      ({ id, kind, before, after }): ItemChange => ({
        id,
        kind,
        before: isUndo ? after : before,
        after: isUndo ? before : after,
      }),
    );
    const by = { author, at: clock.now() };
    const next = await writeItems(transaction, project, changes, by);
    await markUndone(transaction, projectId, batch, isUndo);
    return changedTo(transaction, projectId, next, changes);
  });
}

/** Throws annotations_changed. */
export function assertKnown(project: LockedProject, revision: number): void {
  if (project.revision !== revision) throw new ApiError("annotations_changed");
}

/** The answer to a change that the caller does not know yet. */
export async function changedTo(
  db: Db,
  projectId: string,
  revision: number,
  changes: readonly ItemChange[],
): Promise<Changed> {
  const ids = changes.map(({ id }) => id);
  const items = new Map((await itemsOf(db, projectId, { ids })).map((item) => [item.id, item]));
  return {
    ...(await standingOf(db, projectId, revision)),
    changed: ids.map((id) => ({ id, item: items.get(id) ?? null })),
  };
}

/** All items, or those of some ids or one kind; by time and id. */
export async function itemsOf(
  db: Db,
  projectId: string,
  { ids, kind }: { ids?: readonly string[]; kind?: AnnotationKind | undefined } = {},
): Promise<Annotation[]> {
  let some = db
    .selectFrom("annotations")
    .select(["id", "kind", "value", "revision", "author", "at"])
    .where("project_id", "=", projectId)
    .orderBy("at")
    .orderBy("id");
  if (ids) some = some.where((is) => is("id", "=", is.fn.any(is.val([...ids]))));
  if (kind) some = some.where("kind", "=", kind);
  const rows = await some.execute();
  // Values were checked by their kinds when they were written.
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }) as Annotation);
}

async function standingOf(
  db: Db,
  projectId: string,
  revision: number,
): Promise<AnnotationStanding> {
  return {
    revision,
    can_undo: (await nextBatch(db, projectId, "undo")) !== null,
    can_redo: (await nextBatch(db, projectId, "redo")) !== null,
  };
}

/** The changes with what was there before, without those that delete what is gone. Throws annotations_changed. */
async function effectiveChanges(
  transaction: Db,
  projectId: string,
  changes: readonly CheckedChange[],
): Promise<ItemChange[]> {
  const ids = changes.map(({ id }) => id);
  const now = new Map(
    (await itemsOf(transaction, projectId, { ids })).map((item) => [item.id, item]),
  );
  return changes.flatMap(({ id, kind, value, text, revision }) => {
    const item = now.get(id);
    if (!item && value === null) return [];
    if ((item?.revision ?? 0) !== revision || (item && item.kind !== kind)) {
      throw new ApiError("annotations_changed");
    }
    return [{ id, kind, before: item?.value ?? null, after: value, text }];
  });
}
