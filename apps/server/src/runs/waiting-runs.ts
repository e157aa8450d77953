import { FIRST_STEP } from "@stipple/contract";
import type { OwnedProject } from "../access/opened-results.ts";
import type { Clock } from "../clock.ts";
import { missingParent } from "../db/database.ts";
import { hasActiveRun, lockRow } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import type { Projects } from "../projects/projects.ts";
import { assertFilled, requestRun, type RequestParts } from "./run-request.ts";
import type { Runs } from "./runs.ts";
import { WaitsNoLongerError } from "./start-run.ts";

export interface WaitingParts extends RequestParts {
  clock: Clock;
  projects: Pick<Projects, "owned">;
  runs: Pick<Runs, "start">;
}

/** Waiting runs are looked after this often. */
export const WAITING_MS = 5_000;

/**
 * Runs a project now, or once its account's earlier runs have ended; once only, if its run is queued or in progress
 * already. Whether it waits. Throws inputs_missing, or what refuses a run that could start at once.
 */
export async function queueRun(parts: WaitingParts, project: OwnedProject): Promise<boolean> {
  await assertFilled(parts, project);
  const row = { project_id: project.id, user_id: project.userId };
  const asked = { asked_at: parts.clock.now(), refusal: null };
  const isActive = await parts.database.transaction(async (transaction) => {
    // A run being accepted at this moment waits for this lock, or this code waits for the run's.
    await lockRow(transaction, "projects", project.id);
    if (await hasActiveRun(transaction, "project_id", project.id)) return true;
    await transaction
      .insertInto("waiting_runs")
      .values({ ...row, ...asked })
      .onConflict((conflict) => conflict.column("project_id").doUpdateSet(asked))
      .execute();
    return false;
  });
  if (isActive) return false;
  const refusals = await startWaiting(parts, project.userId);
  const refusal = refusals.get(project.id);
  if (refusal) throw refusal;
  const left = await parts.database.db
    .selectFrom("waiting_runs")
    .select("refusal")
    .where("project_id", "=", project.id)
    .executeTakeFirst();
  return left?.refusal === null;
}

/**
 * Starts the run that has waited longest of each account without a queued or running one, or of one account. A run that
 * is refused waits no longer, and the next one is tried. Safe in several processes at once: an account has one active
 * run. Returns what was refused.
 */
export async function startWaiting(
  parts: WaitingParts,
  userId?: string,
): Promise<Map<string, ApiError>> {
  const { db } = parts.database;
  const refusals = new Map<string, ApiError>();
  for (;;) {
    const next = await db
      .selectFrom("waiting_runs")
      .select(["project_id", "user_id", "asked_at"])
      .distinctOn("user_id")
      .where("refusal", "is", null)
      .$if(userId !== undefined, (query) => query.where("user_id", "=", userId!))
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom("runs")
              .select("runs.id")
              .whereRef("runs.user_id", "=", "waiting_runs.user_id")
              .where("runs.status", "in", ["pending", "running"]),
          ),
        ),
      )
      .orderBy("user_id")
      .orderBy("asked_at")
      .orderBy("project_id")
      .execute();
    const ended = await Promise.all(next.map((row) => startOne(parts, row, refusals)));
    if (!ended.includes("refused")) return refusals;
  }
}

async function startOne(
  parts: WaitingParts,
  {
    project_id: id,
    user_id: userId,
    asked_at,
  }: { project_id: string; user_id: string; asked_at: Date },
  refusals: Map<string, ApiError>,
): Promise<"started" | "refused" | "waits" | "taken out"> {
  const { db } = parts.database;
  try {
    const project = await parts.projects.owned(userId, id);
    await requestRun(parts, project, { asked: FIRST_STEP, change: {}, ofWaiting: true });
    return "started";
  } catch (error) {
    if (error instanceof WaitsNoLongerError || missingParent(error)) return "taken out";
    if (!(error instanceof ApiError)) {
      parts.logger.error({ err: error, projectId: id }, "a waiting run could not be started");
      return "waits";
    }
    if (error.code === "workflow_active") return "waits";
    const refused = await db
      .updateTable("waiting_runs")
      .set({ refusal: error.message })
      .where("project_id", "=", id)
      // Who has asked again since gets an answer of their own.
      .where("asked_at", "=", asked_at)
      .returning("project_id")
      .executeTakeFirst();
    if (refused) refusals.set(id, error);
    return "refused";
  }
}
