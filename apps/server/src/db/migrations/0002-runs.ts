import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runs (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      user_id uuid not null references users on delete cascade,
      status text not null check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
      start_step integer not null,
      prepared boolean not null default false,
      step integer,
      step_fraction double precision not null default 0,
      percent double precision not null default 0,
      step_started_at timestamptz,
      log jsonb not null default '[]',
      error text,
      cancel_requested boolean not null default false,
      worker text,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz
    )`.execute(db);
  // One active workflow per user, no matter how many calls arrive at once.
  await sql`
    create unique index runs_one_active on runs (user_id) where status in ('pending', 'running')`.execute(
    db,
  );
  await sql`create index runs_project on runs (project_id, created_at desc)`.execute(db);
  await sql`create index runs_queue on runs (created_at) where status = 'pending'`.execute(db);
  // No reference to projects: deleting a project does not give its analysis back.
  await sql`
    create table analyses (
      project_id uuid primary key,
      user_id uuid not null references users on delete cascade,
      plan text not null,
      counted_at timestamptz not null,
      spots integer not null default 0,
      completed_at timestamptz
    )`.execute(db);
  await sql`create index analyses_user on analyses (user_id)`.execute(db);
  await sql`
    create table workers (
      slot text primary key,
      started_at timestamptz not null,
      seen_at timestamptz not null
    )`.execute(db);
}
