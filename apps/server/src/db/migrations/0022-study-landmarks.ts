import { sql, type Kysely } from "kysely";

/** Which places of two sections match. They go with either project, and are not shown while one is not in the study. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table study_landmarks (
      study_id uuid not null references studies on delete cascade,
      first uuid not null references projects on delete cascade,
      second uuid not null references projects on delete cascade,
      points json not null,
      author text not null,
      at timestamptz not null,
      primary key (study_id, first, second)
    )`.execute(db);
  await sql`create index study_landmarks_first on study_landmarks (first)`.execute(db);
  await sql`create index study_landmarks_second on study_landmarks (second)`.execute(db);
}
