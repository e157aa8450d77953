import { sql, type Kysely } from "kysely";

/** What a process computes for a study, so that no other one computes the same meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table study_makings (
      study_id uuid not null,
      key text not null,
      held_until timestamptz not null,
      primary key (study_id, key)
    )`.execute(db);
}
