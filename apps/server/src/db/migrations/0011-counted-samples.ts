import { sql, type Kysely } from "kysely";

/** Analyses are counted by the gene counts they are made from; analyses of the sample dataset are not counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column sample_dataset text`.execute(db);
  await sql`
    alter table analyses
      drop constraint analyses_pkey,
      add column id uuid primary key default gen_random_uuid(),
      add column sample text,
      add column current boolean not null default true`.execute(db);
  await sql`create unique index analyses_current on analyses (project_id) where current`.execute(
    db,
  );
  await sql`create index analyses_project on analyses (project_id)`.execute(db);
}
