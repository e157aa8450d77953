import { isCounted } from "../../billing/counting.ts";
import type { RunServices } from "../services.ts";
import { placesOfRun } from "../../operations/tracing.ts";
import { isHeld, type Hold } from "../worker/holds.ts";
import { isCompleted } from "./run-results.ts";
import { mailRunEnded } from "./run-mail.ts";
import type { StepOutcome } from "../step/step-messages.ts";

/**
 * Writes down how the run ended, counts it in the metrics, and emails its owner. A completed run has been marked when
 * its last step was published.
 */
export async function finishRun(
  services: RunServices,
  hold: Hold,
  outcome: StepOutcome,
): Promise<void> {
  const { runId } = hold;
  const isEnded =
    outcome.kind === "done"
      ? await isCompleted(services, runId)
      : await endRun(services, hold, outcome);
  if (!isEnded) return;
  const cause = outcome.kind === "failed" ? outcome.cause : "none";
  services.metrics.runsEnded.inc({ outcome: outcome.kind, cause });
  // The next run does not wait for a mail server; a worker that stops does.
  services.background.add(mailRunEnded(services, runId), (err) =>
    services.logger.warn({ err, runId }, "the owner was not emailed that a run has ended"),
  );
}

/** Returns whether this ended it. */
async function endRun(
  services: RunServices,
  hold: Hold,
  outcome: Exclude<StepOutcome, { kind: "done" }>,
): Promise<boolean> {
  const { database, clock, entitlements } = services;
  const { runId } = hold;
  const run = await database.db
    .selectFrom("runs")
    .select("project_id")
    .where("id", "=", runId)
    .executeTakeFirst();
  if (!run) return false;
  const failed = outcome.kind === "failed" ? outcome : undefined;
  return database.transaction(async (transaction) => {
    if (!(await isHeld(transaction, hold))) return false;
    await transaction
      .updateTable("runs")
      .set({ status: failed ? "failed" : "cancelled", finished_at: clock.now() })
      .where("id", "=", runId)
      .execute();
    if (!failed) return true;
    const isReturned =
      failed.fault === "server" && (await entitlements.returnAnalysis(transaction, runId));
    const counted = isReturned
      ? "Your analysis was not counted."
      : (await isCounted(transaction, run.project_id))
        ? "It counts as one of your analyses; running this project again won't use another."
        : "";
    const error = `${failed.message} ${counted}`.trimEnd();
    await transaction.updateTable("runs").set({ error }).where("id", "=", runId).execute();
    return true;
  });
}

/** Writes the span of a finished run, however it ended. */
export async function noteRunEnd(services: RunServices, runId: string): Promise<void> {
  const { database, tracing } = services;
  if (!tracing.isOn) return;
  const run = await database.db
    .selectFrom("runs")
    .select(["traceparent", "started_at", "finished_at", "status", "project_id"])
    .where("id", "=", runId)
    .executeTakeFirst();
  if (!run?.started_at || !run.finished_at) return;
  const place = placesOfRun({ id: runId, traceparent: run.traceparent }).run;
  tracing.begin("run", { ...place, start: run.started_at }).end({
    attributes: {
      "stipple.run_id": runId,
      "stipple.project_id": run.project_id,
      "stipple.outcome": run.status,
    },
    failure: run.status === "failed" ? "failed" : undefined,
    at: run.finished_at,
  });
}
