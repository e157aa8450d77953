import { sql, type Kysely } from "kysely";

/**
 * An analysis remembers that it has yielded results, and which run reserved it; a project remembers which sample its
 * results are of.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table analyses
      add column yielded_at timestamptz,
      add column reserved_by uuid`.execute(db);
  await sql`alter table runs add column analysis_before uuid`.execute(db);
  await sql`alter table projects add column results_sample text`.execute(db);
  // A run that has reached step 5 had the expression of step 4, whether or not its rows are still there.
  await sql`
    update analyses set yielded_at = coalesce(completed_at, counted_at)
    where completed_at is not null
      or exists (
        select from runs
        where runs.project_id = analyses.project_id and runs.step >= 5
          and runs.created_at >= analyses.counted_at - interval '1 minute')
      or current and exists (
        select from step_results
        where step_results.project_id = analyses.project_id and step_results.step >= 4)`.execute(
    db,
  );
  await sql`
    update analyses set reserved_by = runs.id from runs
    where runs.project_id = analyses.project_id and analyses.current
      and runs.status in ('pending', 'running')
      and not exists (
        select from runs as earlier
        where earlier.project_id = runs.project_id and earlier.created_at < runs.created_at)`.execute(
    db,
  );
  await sql`
    update projects set results_sample = analyses.sample from analyses
    where analyses.project_id = projects.id and analyses.current`.execute(db);
}
