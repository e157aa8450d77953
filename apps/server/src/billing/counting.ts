import { stepNumber, type StepNumber } from "@stipple/contract";
import type { Selectable } from "kysely";
import type { Db } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { AnalyzedContent } from "./analyzed-content.ts";

/** What an analysis of the sample dataset counts against: no plan. */
export const SAMPLE_PLAN = "sample";
/** From this step on, a run has revealed something about the sample's cells: it has yielded results. */
const FIRST_RESULT: StepNumber = stepNumber("vector-transformation");

/** Whether a project's next run counts, and the row of the analysis that it continues. */
export type Counting =
  { isCounted: true; row: null } | { isCounted: false; row: Selectable<Schema["analyses"]> | null };

/**
 * A project's first run is counted; further runs of the same sample are not, whatever else is changed, and neither is
 * the sample dataset. Other gene counts in a project that has results are another sample and another analysis
 * (docs/decisions/0007).
 */
export async function countingOf(
  query: Db,
  projectId: string,
  content: AnalyzedContent,
): Promise<Counting> {
  const rows = await query
    .selectFrom("analyses")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("current", "desc")
    .orderBy("counted_at", "desc")
    .execute();
  if (content.isSampleDataset) {
    return { isCounted: false, row: rows.find(({ plan }) => plan === SAMPLE_PLAN) ?? null };
  }
  const counted = rows.filter(({ plan }) => plan !== SAMPLE_PLAN);
  const same = counted.find(({ sample }) => sample !== null && sample === content.sample);
  if (same) return { isCounted: false, row: same };
  const current = counted.find((row) => row.current);
  if (!current) return { isCounted: true, row: null };
  // New files count as another analysis only if both samples are known and the previous files yielded results.
  const isExchange =
    current.sample !== null && content.sample !== null && current.yielded_at !== null;
  return isExchange ? { isCounted: true, row: null } : { isCounted: false, row: current };
}

/**
 * Notes, once and for good, that the current analysis of a project has yielded results, if publishing `step` does. Runs
 * in the transaction that publishes it.
 */
export async function noteYield(
  transaction: Db,
  projectId: string,
  { step, at }: { step: StepNumber; at: Date },
): Promise<void> {
  if (step < FIRST_RESULT) return;
  await transaction
    .updateTable("analyses")
    .set({ yielded_at: at })
    .where("project_id", "=", projectId)
    .where("current", "=", true)
    .where("yielded_at", "is", null)
    .execute();
}

/**
 * Gives back the analysis that was counted for a run, unless it has yielded results. A run of an analysis that was
 * counted for an earlier run gives nothing back. Returns whether it did.
 */
export async function returnReservation(transaction: Db, runId: string): Promise<boolean> {
  const returned = await transaction
    .deleteFrom("analyses")
    .where("reserved_by", "=", runId)
    .where("yielded_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return returned !== undefined;
}

/**
 * Makes the analysis current again that was so before a run was accepted, if its results are still there: the run has
 * removed none yet.
 */
export async function restoreCurrent(
  transaction: Db,
  runId: string,
  { evenIfPrepared }: { evenIfPrepared: boolean },
): Promise<void> {
  const run = await transaction
    .selectFrom("runs")
    .leftJoin("analyses", "analyses.id", "runs.analysis_before")
    .select(["runs.project_id", "runs.prepared", "analyses.id as before"])
    .where("runs.id", "=", runId)
    .executeTakeFirst();
  if (run && (!run.prepared || evenIfPrepared))
    await makeCurrent(transaction, run.project_id, run.before);
}

/** Whether a project's current analysis counts against its owner's plan. */
export async function isCounted(query: Db, projectId: string): Promise<boolean> {
  const row = await query
    .selectFrom("analyses")
    .select("id")
    .where("project_id", "=", projectId)
    .where("current", "=", true)
    .where("plan", "!=", SAMPLE_PLAN)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes one of a project's analyses (or none) current: the one that its results belong to. */
export async function makeCurrent(
  transaction: Db,
  projectId: string,
  id: string | null,
): Promise<void> {
  await transaction
    .updateTable("analyses")
    .set({ current: false })
    .where("project_id", "=", projectId)
    .where("current", "=", true)
    .execute();
  if (id === null) return;
  await transaction.updateTable("analyses").set({ current: true }).where("id", "=", id).execute();
}
