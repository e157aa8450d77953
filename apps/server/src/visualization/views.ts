import { randomUUID } from "node:crypto";
import type { SavedView } from "@stipple/contract";
import type { Clock } from "../clock.ts";
import type { Database, Db } from "../db/database.ts";
import { lockRow, sizeOf } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { isBlank, isOneLine } from "../http/one-line.ts";

/*
 * Named views of a project's results: what the page needs to show them again, opaque to the server.
 */

const LONGEST_NAME = 80;
const MAX_VIEWS = 100;
const LARGEST_VIEW_BYTES = 1_000_000;
/** All views of a project travel in one answer. */
const LARGEST_TOTAL_BYTES = 20_000_000;

/** Oldest first. */
export async function viewsOf(db: Db, projectId: string): Promise<SavedView[]> {
  const rows = await db
    .selectFrom("saved_views")
    .select(["id", "name", "created_at", "state"])
    .where("project_id", "=", projectId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(viewOf);
}

/** A view of the same name is replaced. Throws invalid_request, upload_too_large or limit_reached. */
export async function saveView(
  { database, clock }: { database: Database; clock: Clock },
  projectId: string,
  name: string,
  state: Record<string, unknown>,
): Promise<SavedView> {
  const trimmed = name.normalize("NFC").trim();
  if (isBlank(trimmed) || trimmed.length > LONGEST_NAME || !isOneLine(trimmed)) {
    throw new ApiError(
      "invalid_request",
      `A view's name must be one line of 1 to ${LONGEST_NAME} characters, without invisible control characters.`,
    );
  }
  const text = JSON.stringify(state);
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST_VIEW_BYTES) {
    throw new ApiError(
      "upload_too_large",
      "This view is larger than 1 MB. Delete groups you don't need, then save it again.",
    );
  }
  return database.transaction(async (transaction) => {
    // Simultaneous calls wait here, so that together they cannot exceed the limits.
    const isThere = await lockRow(transaction, "projects", projectId);
    if (!isThere) throw new ApiError("project_not_found");
    await assertRoom(transaction, projectId, { name: trimmed, bytes });
    const created_at = clock.now();
    const row = await transaction
      .insertInto("saved_views")
      .values({
        id: randomUUID(),
        project_id: projectId,
        name: trimmed,
        created_at,
        bytes,
        state: text,
      })
      .onConflict((conflict) =>
        conflict.columns(["project_id", "name"]).doUpdateSet({ created_at, bytes, state: text }),
      )
      .returning(["id", "name", "created_at", "state"])
      .executeTakeFirstOrThrow();
    return viewOf(row);
  });
}

/** Throws limit_reached unless the project may have one more view, or another in place of one of this name. */
async function assertRoom(
  transaction: Db,
  projectId: string,
  view: { name: string; bytes: number },
): Promise<void> {
  const others = await sizeOf(
    transaction
      .selectFrom("saved_views")
      .where("project_id", "=", projectId)
      .where("name", "!=", view.name),
  );
  if (others.count >= MAX_VIEWS) {
    throw new ApiError(
      "limit_reached",
      `A project can have ${MAX_VIEWS} saved views. Delete one you no longer need.`,
    );
  }
  if (others.bytes + view.bytes > LARGEST_TOTAL_BYTES) {
    throw new ApiError(
      "limit_reached",
      "This project's saved views have reached 20 MB in total. Delete one you no longer need.",
    );
  }
}

/** Throws not_found. */
export async function removeView(db: Db, projectId: string, viewId: string): Promise<void> {
  const removed = await db
    .deleteFrom("saved_views")
    .where("project_id", "=", projectId)
    .where((is) => is(is.cast<string>("id", "text"), "=", viewId))
    .returning("id")
    .executeTakeFirst();
  if (!removed) throw new ApiError("not_found", "This saved view does not exist.");
}

function viewOf(row: Omit<SavedView, "created_at"> & { created_at: Date }): SavedView {
  return { ...row, created_at: row.created_at.toISOString() };
}
