import { sql, type Kysely } from "kysely";

/** The password that a second step follows: once it is replaced, the step leads nowhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ceremonies add column password_hash text`.execute(db);
}
