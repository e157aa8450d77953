import { sql, type Kysely } from "kysely";

/** Which request asked for a run, and where that is in a trace: for the log and the spans of the worker. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column request_id text, add column traceparent text`.execute(db);
}
