import { randomUUID } from "node:crypto";
import type { DBOSClient } from "@dbos-inc/dbos-sdk";
import type { AnalysisOptions, RunChoices, StepNumber } from "@stipple/contract";
import { sql, type RawBuilder } from "kysely";
import type { ClientBase } from "pg";
import type { OwnedProject } from "../access/opened-results.ts";
import { analyzedContent } from "../billing/analyzed-content.ts";
import type { Db } from "../db/database.ts";
import { countOf } from "../db/rows.ts";
import type { Estimate } from "../db/schema.ts";
import { ApiError } from "../http/api-error.ts";
import { keepAnalysisType, keepChoices } from "../projects/choices.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";
import { filledSlots } from "../uploads/input-files.ts";
import { dueAt, estimateOf } from "./estimate/estimate.ts";
import { pastRuns } from "./estimate/past-runs.ts";
import { sizeOf, type SizedInput } from "./estimate/run-size.ts";
import { stepSecondsOf } from "./estimate/step-seconds.ts";
import { ring } from "./queue/doorbell.ts";
import { placeOf, placeRead, type QueuePlace } from "./queue/queue-place.ts";
import { ANALYZE_PROJECT, queueOf, WORKFLOW_VERSION } from "./queue/queue.ts";
import type { RunServices } from "./services.ts";

/** What a run is asked to do. */
export interface RunOrder {
  startStep: StepNumber;
  /** As the request was judged by them. */
  inputs: readonly SizedInput[];
  /** Replaces the project's choices. */
  choices?: RunChoices | undefined;
  /** The request that asks for it. */
  origin?: { requestId: string; traceparent: string | undefined };
  /** Replaces the project's analysis type. */
  analysisType?: AnalysisOptions["analysis_type"] | undefined;
  /** Whether it is started because its project waits (waiting-runs.ts). */
  ofWaiting?: boolean;
}

/** The project of a waiting run was taken out of those that wait while the run was being started. */
export class WaitsNoLongerError extends Error {
  override readonly name = "WaitsNoLongerError";
}

type Parts = Pick<RunServices, "database" | "clock" | "entitlements" | "workers"> & {
  queue: DBOSClient;
};

/** Arbitrary; held while a run is admitted, so that two runs never take the same free worker. */
const ADMISSION_LOCK = 7_203_115;
/** The live example is due after every run that is requested within this time. */
const EXAMPLE_WAIT_MS = 24 * 3_600_000;

/**
 * Accepts a run, reserves its analysis, and puts it into the queue, all in one transaction, with which its project waits
 * no longer. Its place in the queue; null if a worker is free. Throws WaitsNoLongerError.
 */
export async function startRun(
  parts: Parts,
  project: OwnedProject,
  order: RunOrder,
): Promise<{ place: QueuePlace | null }> {
  const { database, clock, workers } = parts;
  const id = randomUUID();
  const now = clock.now();
  const estimate = await estimateFor(database.db, project, order);
  const isExample = project.userId === EXAMPLE_OWNER;
  const due = new Date(dueAt(now, estimate).getTime() + (isExample ? EXAMPLE_WAIT_MS : 0));
  return database.transaction(async (transaction, client) => {
    await sql`select pg_advisory_xact_lock(${ADMISSION_LOCK})`.execute(transaction);
    const free = (await countActive(transaction)) < (await workers.live(transaction));
    await transaction
      .insertInto("runs")
      .values({
        id,
        project_id: project.id,
        user_id: project.userId,
        // With a free worker it counts as running from now on: the worker takes it within a moment.
        status: free ? "running" : "pending",
        start_step: order.startStep,
        log: "[]",
        created_at: afterEarlier(project.id, now),
        due_at: due,
        estimate: JSON.stringify(estimate),
        started_at: free ? now : null,
        request_id: order.origin?.requestId ?? null,
        traceparent: order.origin?.traceparent ?? null,
      })
      .execute();
    const waited = await endWaiting(transaction, project.id);
    if (order.ofWaiting && !waited) throw new WaitsNoLongerError();
    await assertUnchanged(transaction, project.id, order.inputs);
    await keepWhatIsAsked(parts, transaction, { id, project, order });
    await enqueue(parts.queue, client, { id, queueName: queueOf(project.userId, estimate), due });
    await ring(transaction);
    if (free) return { place: null };
    const { place } = await transaction
      .selectFrom("runs")
      .select((run) => placeRead(run).as("place"))
      .where("runs.id", "=", id)
      .executeTakeFirstOrThrow();
    return { place: placeOf(place) };
  });
}

/** Now, unless an earlier run of the project is newer: clocks are set back, and those of two machines differ. */
function afterEarlier(projectId: string, now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(${now}::timestamptz, (
    select max(created_at) + interval '1 millisecond' from runs where project_id = ${projectId}))`;
}

/** Takes a project out of those that wait for earlier runs; false if it is not one of them. */
export async function endWaiting(query: Db, projectId: string): Promise<boolean> {
  const gone = await query
    .deleteFrom("waiting_runs")
    .where("project_id", "=", projectId)
    .returning("refusal")
    .execute();
  return gone.some(({ refusal }) => refusal === null);
}

async function estimateFor(
  db: Db,
  project: OwnedProject,
  { inputs, analysisType }: RunOrder,
): Promise<Estimate> {
  const type = analysisType ?? project.options.analysis_type;
  return {
    ...estimateOf(inputs),
    steps: stepSecondsOf(sizeOf(inputs), type, await pastRuns(db)),
  };
}

/**
 * Throws inputs_missing if files were removed or replaced while the request was judged, which may take seconds. After
 * the run's row, which keeps them from changing.
 */
async function assertUnchanged(
  transaction: Db,
  projectId: string,
  inputs: readonly SizedInput[],
): Promise<void> {
  const now = await filledSlots(transaction, projectId);
  const isThere = (input: SizedInput): boolean =>
    now.some(({ slot, size }) => slot === input.slot && size === input.size);
  if (inputs.every(isThere)) return;
  throw new ApiError(
    "inputs_missing",
    "Input files were removed or replaced while the workflow was being started. Check the uploaded files, then start it again.",
  );
}

/** Runs that wait or are in progress. The live example lets others go first. */
function countActive(query: Db): Promise<number> {
  const active = query.selectFrom("runs").where("status", "in", ["pending", "running"]);
  return countOf(active.where("user_id", "!=", EXAMPLE_OWNER));
}

async function keepWhatIsAsked(
  { entitlements }: Parts,
  transaction: Db,
  { id, project, order }: { id: string; project: OwnedProject; order: RunOrder },
): Promise<void> {
  if (order.choices) await keepChoices(transaction, project.id, order.choices);
  if (order.analysisType) await keepAnalysisType(transaction, project, order.analysisType);
  if (project.userId === EXAMPLE_OWNER) return;
  await entitlements.reserveAnalysis(
    transaction,
    { id, userId: project.userId, projectId: project.id },
    await analyzedContent(transaction, project.id),
  );
}

async function enqueue(
  queue: DBOSClient,
  client: ClientBase,
  { id, queueName, due }: { id: string; queueName: string; due: Date },
): Promise<void> {
  await queue.enqueueInTransaction(
    client,
    {
      queueName,
      priority: priorityOf(due),
      workflowName: ANALYZE_PROJECT,
      workflowID: id,
      appVersion: WORKFLOW_VERSION,
    },
    id,
  );
}

/** The queue takes small numbers first: seconds since a day before any run. */
function priorityOf(due: Date): number {
  return Math.floor((due.getTime() - Date.UTC(2026, 0, 1)) / 1000);
}
