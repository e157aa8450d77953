import { sql, type Kysely } from "kysely";

/** Share links open a project's view or a study. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table share_links
      alter column project_id drop not null,
      add column study_id uuid references studies on delete cascade,
      add check (num_nonnulls(project_id, study_id) = 1)`.execute(db);
  await sql`create index share_links_study on share_links (study_id)`.execute(db);
}
