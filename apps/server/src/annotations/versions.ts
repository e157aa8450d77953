import { randomUUID } from "node:crypto";
import type { AnnotationVersion } from "@stipple/contract";
import { isDeepStrictEqual } from "node:util";
import { isUniqueViolation, type Db } from "../db/database.ts";
import { sizeOf } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { isBlank, isOneLine } from "../http/one-line.ts";
import {
  assertKnown,
  changedTo,
  itemsOf,
  type By,
  type Changed,
  type Services,
} from "./annotations.ts";
import { lockProject, writeItems, type ItemChange } from "./apply-changes.ts";
import { keepBatch } from "./batches.ts";

/*
 * Annotations as they were, under a name.
 */

const MAX_VERSIONS = 50;
const LARGEST_TOTAL_BYTES = 128_000_000;
const COLUMNS = ["id", "name", "author", "at", "revision", "count"] as const;

/** Newest first. */
export async function versionsOf(db: Db, projectId: string): Promise<AnnotationVersion[]> {
  const rows = await db
    .selectFrom("annotation_versions")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .orderBy("at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(versionOf);
}

/** Throws not_found. */
export async function removeVersion(db: Db, projectId: string, versionId: string): Promise<void> {
  const removed = await db
    .deleteFrom("annotation_versions")
    .where("project_id", "=", projectId)
    .where((is) => is(is.cast<string>("id", "text"), "=", versionId))
    .returning("id")
    .executeTakeFirst();
  if (!removed) throw missing();
}

/** Throws invalid_request (also for a name that is taken) or limit_reached. */
export async function saveVersion(
  { clock, database }: Services,
  { projectId, author }: By,
  wanted: string,
): Promise<AnnotationVersion> {
  const name = checkedName(wanted);
  const at = clock.now();
  return database
    .transaction(async (transaction) => {
      const project = await lockProject(transaction, projectId);
      const items = (await itemsOf(transaction, projectId)).map(({ id, kind, value }) => ({
        id,
        kind,
        value,
      }));
      const text = JSON.stringify(items);
      const bytes = Buffer.byteLength(text);
      const others = await sizeOf(
        transaction.selectFrom("annotation_versions").where("project_id", "=", projectId),
      );
      if (others.count >= MAX_VERSIONS || others.bytes + bytes > LARGEST_TOTAL_BYTES) {
        throw new ApiError(
          "limit_reached",
          `A project can have ${MAX_VERSIONS} versions of its annotations, together up to 128 MB. Delete one you no longer need.`,
        );
      }
      const row = await transaction
        .insertInto("annotation_versions")
        .values({
          id: randomUUID(),
          project_id: projectId,
          name,
          author,
          at,
          revision: project.revision,
          count: items.length,
          bytes,
          items: text,
        })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
      return versionOf(row);
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error, "annotation_versions_project_id_name_key")) throw error;
      throw new ApiError(
        "invalid_request",
        `There is already a version “${name}”. Choose another name, or delete that version first.`,
      );
    });
}

/** A change like any other. Throws not_found, annotations_changed, or limit_reached. */
export function restoreVersion(
  { clock, database }: Services,
  { projectId, author }: By,
  versionId: string,
  revision: number,
): Promise<Changed> {
  const at = clock.now();
  return database.transaction(async (transaction) => {
    const project = await lockProject(transaction, projectId);
    const version = await transaction
      .selectFrom("annotation_versions")
      .select(["name", "items"])
      .where("project_id", "=", projectId)
      .where((is) => is(is.cast<string>("id", "text"), "=", versionId))
      .executeTakeFirst();
    if (!version) throw missing();
    assertKnown(project, revision);
    const wanted = new Map(version.items.map((item) => [item.id, item]));
    const now = await itemsOf(transaction, projectId);
    const before = new Map(now.map((item) => [item.id, item]));
    const changes: ItemChange[] = [
      ...now
        .filter(({ id }) => !wanted.has(id))
        .map(({ id, kind, value }) => ({ id, kind, before: value, after: null })),
      ...version.items
        .map(({ id, kind, value }) => ({
          id,
          kind,
          before: before.get(id)?.value ?? null,
          after: value,
        }))
        .filter((change) => !isDeepStrictEqual(change.before, change.after)),
    ];
    if (changes.length === 0) return changedTo(transaction, projectId, revision, []);
    const next = await writeItems(transaction, project, changes, { author, at });
    const batch = { author, at, id: randomUUID(), revision: next, restored: version.name };
    await keepBatch(transaction, project, batch, changes);
    return changedTo(transaction, projectId, next, changes);
  });
}

function checkedName(name: string): string {
  const trimmed = name.normalize("NFC").trim();
  if (isBlank(trimmed) || !isOneLine(trimmed)) {
    throw new ApiError(
      "invalid_request",
      "A version's name must be one line of text, without invisible control characters.",
    );
  }
  return trimmed;
}

function missing(): ApiError {
  return new ApiError("not_found", "This version of the annotations does not exist.");
}

function versionOf({
  at,
  ...row
}: Omit<AnnotationVersion, "at"> & { at: Date }): AnnotationVersion {
  return { ...row, at: at.toISOString() };
}
