import { sql, type ExpressionBuilder, type RawBuilder } from "kysely";
import { jsonBuildObject, jsonObjectFrom } from "kysely/helpers/postgres";
import type { QueueStatus } from "@stipple/contract";
import type { ReadBy } from "../../db/prepared.ts";
import type { Schema } from "../../db/schema.ts";
import { SMALL_SECONDS } from "../estimate/estimate.ts";

export interface QueuePlace {
  /** 1 = next. */
  position: number;
  /** Minutes. */
  estimatedWait: number;
}

/** Assumed for runs of early versions, which have no estimate of their steps. */
const UNKNOWN_SECONDS = 600;

/** Seconds that the steps of a run are expected to take. A run that takes longer than that is never said to end at once. */
const ofSteps = sql<number>`coalesce((
  select sum(seconds::float)
  from jsonb_array_elements_text(other.estimate->'steps'->'expected') with ordinality as step (seconds, number)
  where number > other.start_step), ${UNKNOWN_SECONDS})`;
const since = sql<number>`coalesce(extract(epoch from clock_timestamp() - other.started_at), 0)`;
const left = sql<number>`greatest(${ofSteps} - greatest(${since}, 0), ${ofSteps} / 10)`;

const isSmall = (estimate: RawBuilder<unknown>) =>
  sql<boolean>`coalesce((${estimate}->>'seconds')::float <= ${SMALL_SECONDS}, false)`;
/** Small runs do not wait for large ones. */
const delays = sql<boolean>`(${isSmall(sql`other.estimate`)} or not ${isSmall(sql`runs.estimate`)})`;

/** The data that determine a queued run's place. */
export function placeRead(run: ExpressionBuilder<Schema, "runs">) {
  const isAhead = sql<boolean>`other.status = 'pending' and (other.due_at, other.id) < (runs.due_at, runs.id)`;
  return jsonBuildObject({
    ahead: run
      .selectFrom("runs as other")
      .select((other) => other.fn.countAll<number>().as("count"))
      .where(isAhead),
    // Whole minutes, so that the answer changes no more often.
    minutes: run
      .selectFrom("runs as other")
      .select(sql<number>`ceil(sum(${left}) / 60)`.as("minutes"))
      .where((other) => other.or([other("other.status", "=", "running"), isAhead]))
      .where(delays),
    workers: run
      .selectFrom("workers")
      .select((alive) => alive.fn.countAll<number>().as("count"))
      .where("alive_until", ">", sql<Date>`clock_timestamp()`),
  });
}

export function placeOf({ ahead, minutes, workers }: ReadBy<typeof placeRead>): QueuePlace {
  const estimatedWait = Math.ceil(Number(minutes) / Math.max(1, Number(workers)));
  return { position: Number(ahead) + 1, estimatedWait: Math.max(1, estimatedWait) };
}

/** A person's queued or running workflow; null when there is none. */
export function activeRead(users: ExpressionBuilder<Schema, "users">) {
  return jsonObjectFrom(
    users
      .selectFrom("runs")
      .innerJoin("projects", "projects.id", "runs.project_id")
      .select(["runs.project_id", "projects.name", "runs.status"])
      .select((run) =>
        run.case().when("runs.status", "=", "pending").then(placeRead(run)).end().as("place"),
      )
      .whereRef("runs.user_id", "=", "users.id")
      .where("runs.status", "in", ["pending", "running"]),
  );
}

export function queueStatusOf(active: ReadBy<typeof activeRead>): QueueStatus {
  const place = active?.place && placeOf(active.place);
  return {
    has_workflow: active !== null,
    project_id: active?.project_id ?? null,
    project_name: active?.name ?? null,
    status: active ? (place ? "pending" : "running") : null,
    position: place?.position ?? null,
    estimated_wait: place?.estimatedWait ?? null,
  };
}
