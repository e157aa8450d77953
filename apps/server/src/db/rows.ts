import type { SelectQueryBuilder } from "kysely";
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
