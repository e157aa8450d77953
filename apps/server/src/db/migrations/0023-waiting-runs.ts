import { sql, type Kysely } from "kysely";

/** Projects that run once their account's earlier runs have ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table waiting_runs (
      project_id uuid primary key references projects on delete cascade,
      user_id uuid not null references users on delete cascade,
      asked_at timestamptz not null,
      refusal text
    )`.execute(db);
  await sql`create index waiting_runs_user on waiting_runs (user_id, asked_at)`.execute(db);
}
