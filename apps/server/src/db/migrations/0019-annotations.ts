import { sql, type Kysely } from "kysely";

/**
 * What people add to a project's results, every change of it with what was there before, and named versions. Values are
 * json, not jsonb: nothing looks inside, and order and numbers stay as written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects add column annotation_revision integer not null default 0`.execute(db);
  await sql`
    create table annotations (
      project_id uuid not null references projects on delete cascade,
      id text not null,
      kind text not null,
      value json not null,
      bytes integer not null,
      revision integer not null,
      author text not null,
      at timestamptz not null,
      primary key (project_id, id)
    )`.execute(db);
  await sql`
    create table annotation_batches (
      project_id uuid not null references projects on delete cascade,
      revision integer not null,
      id uuid not null,
      author text not null,
      at timestamptz not null,
      restored text,
      undone boolean not null default false,
      bytes bigint not null,
      primary key (project_id, revision),
      unique (project_id, id)
    )`.execute(db);
  await sql`
    create table annotation_changes (
      project_id uuid not null,
      revision integer not null,
      position integer not null,
      id text not null,
      kind text not null,
      label text not null,
      before json,
      after json,
      primary key (project_id, revision, position),
      foreign key (project_id, revision) references annotation_batches on delete cascade
    )`.execute(db);
  await sql`
    create table annotation_versions (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null,
      author text not null,
      at timestamptz not null,
      revision integer not null,
      count integer not null,
      bytes integer not null,
      items json not null,
      unique (project_id, name)
    )`.execute(db);
}
