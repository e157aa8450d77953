import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Only a hash of the link's secret is stored: anyone who reads the table, even with the signing key, cannot make the
  // link.
  await sql`
    create table share_links (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      token_hash text not null unique,
      note text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index share_links_project on share_links (project_id)`.execute(db);
  // json, not jsonb: nothing looks inside, and jsonb refuses texts that JSON allows (U+0000, lone surrogates).
  await sql`
    create table saved_views (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null,
      created_at timestamptz not null,
      bytes integer not null,
      state json not null,
      unique (project_id, name)
    )`.execute(db);
}
