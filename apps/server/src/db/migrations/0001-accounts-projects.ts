import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null,
      password_hash text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create unique index users_email on users (lower(email))`.execute(db);
  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index sessions_user on sessions (user_id)`.execute(db);
  await sql`
    create table projects (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null,
      options jsonb not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index projects_user on projects (user_id, created_at desc)`.execute(db);
  await sql`
    create table uploads (
      project_id uuid not null references projects on delete cascade,
      slot text not null,
      file_name text,
      size bigint,
      storage_key text,
      chunks integer,
      chunk_hashes jsonb,
      incoming_name text,
      incoming_chunks integer,
      primary key (project_id, slot)
    )`.execute(db);
  await sql`
    create table upload_chunks (
      project_id uuid not null,
      slot text not null,
      chunk integer not null,
      size integer not null,
      sha256 text not null,
      primary key (project_id, slot, chunk),
      foreign key (project_id, slot) references uploads on delete cascade
    )`.execute(db);
}
