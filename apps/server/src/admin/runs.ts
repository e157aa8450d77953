import { isStepNumber } from "@stipple/contract";
import type { Context } from "../context.ts";
import type { RunStatus } from "../db/schema.ts";
import { queueOf } from "../runs/queue/queue.ts";
import { requestRun } from "../runs/run-request.ts";
import { AdminError, table, type Printed } from "./admin.ts";
import { noteAct, personByEmail } from "./people.ts";

/** Runs, newest first: ids and states only, no names and nothing users uploaded or saw. */
export async function listRuns(
  { database }: Context,
  options: { statuses: readonly RunStatus[]; email?: string | undefined; limit: number },
): Promise<Printed> {
  let query = database.db
    .selectFrom("runs")
    .select([
      "id",
      "project_id",
      "user_id",
      "status",
      "step",
      "percent",
      "worker",
      "created_at",
      "started_at",
      "finished_at",
    ])
    .orderBy("created_at", "desc")
    .limit(options.limit);
  if (options.statuses.length > 0) query = query.where("status", "in", [...options.statuses]);
  if (options.email !== undefined) {
    const person = await personByEmail(database.db, options.email);
    await noteAct(database.db, person.id, "viewed the runs");
    query = query.where("user_id", "=", person.id);
  }
  const rows = await query.execute();
  return {
    data: rows,
    lines: table(
      ["run", "status", "step", "%", "requested", "worker"],
      rows.map((run) => [
        run.id,
        run.status,
        run.step === null ? "-" : String(run.step),
        run.percent.toFixed(0),
        run.created_at.toISOString().slice(0, 19),
        run.worker ?? "-",
      ]),
    ),
  };
}

/**
 * Restarts a failed or canceled run from the step at which it stopped, as its owner would: with files that were removed or
 * replaced since, it would fail at the owner's expense. Throws what refuses the owner.
 */
export async function retryRun(context: Context, runId: string): Promise<Printed> {
  const { projects, runs } = context;
  const run = await runById(context, runId);
  if (run.status !== "failed" && run.status !== "cancelled") {
    throw new AdminError(
      `The run ${runId} is ${run.status}: only a failed or canceled run can be retried.`,
    );
  }
  const latest = await runs.latest(run.project_id);
  if (latest?.id !== runId) {
    throw new AdminError(
      `The run ${runId} is not its project's latest run, which is ${latest?.id}.`,
    );
  }
  const startStep = run.step ?? run.start_step;
  if (!isStepNumber(startStep)) throw new AdminError(`There is no step ${startStep}.`);
  const project = await projects.owned(run.user_id, run.project_id);
  const { place } = await requestRun(context, project, { asked: startStep, change: {} });
  await acted(context, run, "restarted the analysis");
  const retried = await runs.latest(project.id);
  const from = retried?.start_step;
  return told(
    { run: retried?.id, startStep: from, position: place?.position ?? null },
    `The project's analysis continues from step ${from} as run ${retried?.id}.`,
  );
}

export async function cancelRun(context: Context, runId: string): Promise<Printed> {
  const run = await runById(context, runId);
  if (run.status !== "pending" && run.status !== "running") {
    throw new AdminError(`The run ${runId} is ${run.status}: there is nothing to cancel.`);
  }
  await context.runs.cancel(run.project_id);
  await acted(context, run, "canceled the analysis");
  return told({ run: runId, status: "cancelled" }, `Run ${runId} is canceled.`);
}

/** Takes a running run from its worker, which exits when it notices, and puts it back in the queue. */
export async function requeueRun(context: Context, runId: string): Promise<Printed> {
  const run = await runById(context, runId);
  if (run.status !== "running") {
    throw new AdminError(`The run ${runId} is ${run.status}: only a running run has a worker.`);
  }
  await context.runs.takeBack(runId, queueOf(run.user_id, run.estimate));
  await acted(context, run, "put the analysis back in the queue");
  return told(
    { run: runId, takenFrom: run.worker },
    `Run ${runId} is back in the queue${run.worker ? `; it was taken from ${run.worker}` : ""}.`,
  );
}

async function runById({ database }: Context, runId: string) {
  const run = await database.db
    .selectFrom("runs")
    .selectAll()
    .where((is) => is.eb(is.cast("id", "text"), "=", runId))
    .executeTakeFirst();
  if (!run) throw new AdminError(`There is no run ${runId}.`);
  return run;
}

function acted(
  { database }: Context,
  run: { user_id: string; id: string },
  action: string,
): Promise<void> {
  return noteAct(database.db, run.user_id, action, { run: run.id });
}

function told(data: unknown, sentence: string): Printed {
  return { data, lines: [sentence] };
}
