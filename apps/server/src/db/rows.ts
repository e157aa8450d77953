import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "./database.ts";
import type { Schema } from "./schema.ts";

/** How many rows a query finds. */
export async function countOf<Tables extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Tables, object>,
): Promise<number> {
  const { count } = await query
    .select((select) => select.fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many rows of a project a query finds, and their bytes in total. */
export async function sizeOf<Tables extends "annotations" | "annotation_versions" | "saved_views">(
  query: SelectQueryBuilder<Schema, Tables, object>,
): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await query
    .select([
      sql<number>`count(*)::integer`.as("count"),
      sql<string>`coalesce(sum(bytes), 0)`.as("bytes"),
    ])
    .executeTakeFirstOrThrow();
  return { count, bytes: Number(bytes) };
}

/** Locks a row until the transaction ends; false if it is gone. Others that lock it wait. */
export async function lockRow(
  transaction: Db,
  table: "projects" | "studies" | "users",
  id: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom(table)
    .select("id")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a run of a project or of a user is queued or in progress. */
export async function hasActiveRun(
  query: Db,
  of: "project_id" | "user_id",
  id: string,
): Promise<boolean> {
  const run = await query
    .selectFrom("runs")
    .select("id")
    .where(of, "=", id)
    .where("status", "in", ["pending", "running"])
    .executeTakeFirst();
  return run !== undefined;
}

/** Share links that show a project's results: its own, and those of the studies that it is in. */
export function showing(projectId: string) {
  return (is: ExpressionBuilder<Schema, "share_links">) =>
    is.or([
      is("share_links.project_id", "=", projectId),
      is(
        "share_links.study_id",
        "in",
        is.selectFrom("study_samples").select("study_id").where("project_id", "=", projectId),
      ),
    ]);
}
