import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // json, not jsonb: nothing looks inside, and jsonb refuses texts that JSON allows (U+0000, lone surrogates).
  await sql`
    create table step_results (
      project_id uuid not null references projects on delete cascade,
      step smallint not null,
      name text not null,
      version integer not null,
      key text not null,
      params json not null,
      settings json not null,
      seconds double precision not null,
      warnings json not null,
      fields json not null,
      entries json not null,
      published_at timestamptz not null,
      primary key (project_id, step)
    )`.execute(db);
  // Paths are compared by their bytes, as packs are laid out, and so that the index finds paths in a folder.
  await sql`
    create table step_files (
      project_id uuid not null,
      step smallint not null,
      path text collate "C" not null,
      size bigint not null,
      sha256 text not null,
      object_id uuid not null references objects,
      "offset" bigint not null,
      primary key (project_id, path),
      foreign key (project_id, step) references step_results on delete cascade
    )`.execute(db);
  await sql`create index step_files_step on step_files (project_id, step)`.execute(db);
  await sql`create index step_files_object on step_files (object_id)`.execute(db);
  // An object goes with the last row that holds it (0006). Rows of files are deleted, never changed.
  await sql`
    create trigger step_files_deleted after delete on step_files
      referencing old table as gone for each statement execute function release_objects()`.execute(
    db,
  );
}
