import { sql, type Kysely } from "kysely";

/**
 * Large files of a study's findings are objects, and all samples written as one file are a finding of their own `kind`. Such
 * a file ends when a sample's results or the table of the study change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table study_findings add column kind text not null default 'answer'`.execute(db);
  await sql`
    alter table study_finding_files
      alter column gzipped drop not null,
      add column object_id uuid references objects,
      add column size bigint,
      add column sha256 text,
      add check (num_nonnulls(gzipped, object_id) = 1),
      add check (num_nonnulls(object_id, size, sha256) in (0, 3))`.execute(db);
  await sql`create index study_finding_files_object on study_finding_files (object_id)`.execute(db);
  await sql`
    create trigger study_finding_files_deleted after delete on study_finding_files
      referencing old table as gone for each statement execute function release_objects()`.execute(
    db,
  );
  await sql`
    create function end_combined_files() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'step_results' then
        delete from study_findings where kind <> 'answer' and study_id in (
          select study_id from study_samples where project_id in (select project_id from gone));
      else
        delete from study_findings where kind <> 'answer' and study_id in (select study_id from gone);
      end if;
      return null;
    end $$`.execute(db);
  for (const [table, event] of [
    ["step_results", "delete"],
    ["study_samples", "delete"],
    ["study_samples", "update"],
  ] as const) {
    await sql`
      create trigger ${sql.ref(`${table}_${event}_ends_combined`)} after ${sql.raw(event)} on ${sql.ref(table)}
        referencing old table as gone for each statement execute function end_combined_files()`.execute(
      db,
    );
  }
}
