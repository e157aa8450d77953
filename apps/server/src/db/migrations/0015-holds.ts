import { sql, type Kysely } from "kysely";

/**
 * Holds on things that must not be removed for now. A process renews its row while it lives; after that, the hold
 * expires.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // While a backup is in progress no stored object is removed: the backup copies what its snapshot names.
  await sql`
    create table backup_holds (
      id uuid primary key,
      held_until timestamptz not null
    )`.execute(db);
  // Someone downloads the project's results: its storage time does not end meanwhile.
  await sql`
    create table download_holds (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      held_until timestamptz not null
    )`.execute(db);
  await sql`create index download_holds_project on download_holds (project_id)`.execute(db);
}
