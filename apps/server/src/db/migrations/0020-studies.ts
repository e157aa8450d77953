import { sql, type Kysely } from "kysely";

/**
 * A study holds projects and what each of them is. A sample whose project was deleted stays, by its last name, until it is
 * taken out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table studies (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null,
      columns json not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index studies_user on studies (user_id)`.execute(db);
  await sql`
    create table study_samples (
      study_id uuid not null references studies on delete cascade,
      position integer not null,
      project_id uuid references projects on delete set null,
      name text not null,
      condition text not null,
      patient text not null,
      batch text not null,
      more json not null,
      primary key (study_id, position),
      unique (study_id, project_id)
    )`.execute(db);
  await sql`create index study_samples_project on study_samples (project_id)`.execute(db);
}
