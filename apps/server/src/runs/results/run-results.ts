import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StepNumber } from "@stipple/contract";
import type { RunServices } from "../services.ts";
import type { Db } from "../../db/database.ts";
import { removeSteps } from "../../outputs/publish.ts";
import { STATISTICS } from "../../outputs/read.ts";
import { analyzedContent } from "../../billing/analyzed-content.ts";
import { assertHeld, type Hold } from "../worker/holds.ts";

/** What a run has found, as its last step wrote it. */
export interface Found {
  total_spots: number;
}

/** What a run has found, read from the results folder of the step. */
export async function foundIn(results: string): Promise<Found> {
  return JSON.parse(await readFile(join(results, STATISTICS), "utf8")) as Found;
}

type Parts = Pick<RunServices, "clock" | "database" | "entitlements" | "shares">;

/**
 * Makes a project's results this run's, before its first step: removes the outputs that it replaces, and ends what shows
 * another sample. Throws HoldLostError.
 */
export async function takeOverResults(
  { database, shares }: Pick<Parts, "database" | "shares">,
  hold: Hold,
  projectId: string,
  planned: readonly StepNumber[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    await assertHeld(transaction, hold);
    await removeSteps(transaction, projectId, planned);
    const { sample } = await analyzedContent(transaction, projectId);
    await shares.sampleChanges(transaction, projectId, sample);
    await transaction
      .updateTable("runs")
      .set({ prepared: true, start_step: Math.min(...planned) })
      .where("id", "=", hold.runId)
      .execute();
  });
}

/**
 * What becomes true when a step of a run is published, in the same transaction: its analysis has yielded results, and
 * with the last step (`found`) the run is completed. So no results exist that were not counted, and none can be
 * downloaded whose run can still be canceled. Throws HoldLostError.
 */
export async function noteStep(
  { clock, entitlements }: Pick<Parts, "clock" | "entitlements">,
  transaction: Db,
  hold: Hold,
  { projectId, step, found }: { projectId: string; step: StepNumber; found: Found | null },
): Promise<void> {
  await assertHeld(transaction, hold);
  await entitlements.noteYield(transaction, projectId, step);
  if (!found) return;
  await transaction
    .updateTable("runs")
    .set({ status: "completed", finished_at: clock.now(), percent: 100, step_fraction: 1 })
    .where("id", "=", hold.runId)
    .execute();
  await entitlements.completeAnalysis(transaction, projectId, found.total_spots);
}

/** Whether a run has ended with all of its results. */
export async function isCompleted(
  { database }: Pick<RunServices, "database">,
  runId: string,
): Promise<boolean> {
  const run = await database.db
    .selectFrom("runs")
    .select("id")
    .where("id", "=", runId)
    .where("status", "=", "completed")
    .executeTakeFirst();
  return run !== undefined;
}
