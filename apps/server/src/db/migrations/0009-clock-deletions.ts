import { sql, type Kysely } from "kysely";

/** How much of the payment sandbox's clock movement may delete projects: none until the operator confirms. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table provider_clock add column deletes_ahead_ms bigint not null default 0`.execute(
    db,
  );
}
