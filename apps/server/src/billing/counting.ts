import { stepNumber, type StepNumber } from "@stipple/contract";
import type { Selectable } from "kysely";
import type { Db } from "../db/database.ts";
import type { AnalysesTable } from "../db/schema.ts";
import type { AnalyzedContent } from "../uploads/analyzed-content.ts";

/** What an analysis of the sample dataset counts against: no plan. */
export const SAMPLE_PLAN = "sample";
/** From this step on, a run has revealed something about the sample's cells. */
const FIRST_RESULT: StepNumber = stepNumber("vector-transformation");

/** Whether a project's next run counts, and the row of the analysis that it continues. */
export type Counting =
  { isCounted: true; row: null } | { isCounted: false; row: Selectable<AnalysesTable> | null };

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
    current.sample !== null && content.sample !== null && (await hasResults(query, current));
  return isExchange ? { isCounted: true, row: null } : { isCounted: false, row: current };
}

async function hasResults(
  query: Db,
  { project_id: projectId, completed_at: completedAt }: Selectable<AnalysesTable>,
): Promise<boolean> {
  if (completedAt !== null) return true;
  const step = await query
    .selectFrom("step_results")
    .select("step")
    .where("project_id", "=", projectId)
    .where("step", ">=", FIRST_RESULT)
    .executeTakeFirst();
  return step !== undefined;
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
