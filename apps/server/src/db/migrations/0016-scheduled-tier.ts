import { sql, type Kysely } from "kysely";

/** The tier that follows at the end of a subscription's period, where another one is scheduled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column next_tier text`.execute(db);
}
