import type { Context } from "../context.ts";
import { placesOfRun } from "../operations/tracing.ts";
import { STATISTICS } from "../outputs/read.ts";
import type { Leases } from "../workflow/leases.ts";
import { mailRunEnded } from "./run-mail.ts";
import type { StepOutcome } from "./step-messages.ts";

/** Writes down how the run ended. */
export async function finishRun(
  { context, leases }: { context: Context; leases: Leases },
  runId: string,
  outcome: StepOutcome,
): Promise<void> {
  const { database, clock, entitlements, metrics, outputs } = context;
  const lease = await leases.take(runId);
  if (!lease) return;
  const run = await database.db
    .selectFrom("runs")
    .select("project_id")
    .where("id", "=", runId)
    .executeTakeFirst();
  if (!run) return;
  const facts =
    outcome.kind === "done" ? await outputs.json(run.project_id, STATISTICS) : undefined;
  const isEnded = await database.transaction(async (transaction) => {
    const ended = await transaction
      .updateTable("runs")
      .set({
        status:
          outcome.kind === "done"
            ? "completed"
            : outcome.kind === "failed"
              ? "failed"
              : "cancelled",
        error: outcome.kind === "failed" ? outcome.message : null,
        finished_at: clock.now(),
        ...(outcome.kind === "done" ? { percent: 100, step_fraction: 1 } : {}),
      })
      .where("id", "=", runId)
      .where("lease", "=", String(lease.token))
      .where("status", "=", "running")
      .returning("id")
      .executeTakeFirst();
    if (!ended) return false;
    if (outcome.kind === "done") {
      const { total_spots: spots } = facts as { total_spots: number };
      await entitlements.completeAnalysis(transaction, run.project_id, spots);
    }
    if (outcome.kind === "failed" && outcome.fault === "server") {
      await entitlements.returnAnalysis(transaction, run.project_id);
    }
    return true;
  });
  if (!isEnded) return;
  const cause = outcome.kind === "failed" ? (outcome.cause ?? "unexpected") : "none";
  metrics.runsEnded.inc({ outcome: outcome.kind, cause });
  // The next run does not wait for a mail server.
  void mailRunEnded(context, runId);
}

/** Writes the span of a finished run, however it ended. */
export async function noteRunEnd(context: Context, runId: string): Promise<void> {
  const { database, tracing } = context;
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
