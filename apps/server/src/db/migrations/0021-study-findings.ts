import { sql, type Kysely } from "kysely";

/** What comparisons of a study found, by the content of the results and the design, and the files they leave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table study_findings (
      study_id uuid not null references studies on delete cascade,
      key text not null,
      found_at timestamptz not null,
      finding json not null,
      primary key (study_id, key)
    )`.execute(db);
  await sql`
    create table study_finding_files (
      study_id uuid not null,
      key text not null,
      name text not null,
      gzipped bytea not null,
      primary key (study_id, key, name),
      foreign key (study_id, key) references study_findings on delete cascade
    )`.execute(db);
}
