import { sql, type ExpressionBuilder } from "kysely";
import { jsonBuildObject, jsonObjectFrom } from "kysely/helpers/postgres";
import type { QueueStatus } from "@stipple/contract";
import type { ReadBy } from "../../db/prepared.ts";
import type { Schema } from "../../db/schema.ts";

export interface QueuePlace {
  /** 1 = next. */
  position: number;
  /** Minutes. */
  estimatedWait: number;
}

/** Assumed before any run has finished here. */
const FIRST_ESTIMATE_MINUTES = 10;
/** Number of past runs used to estimate the wait. */
const RECENT = 20;

/** The data that determine a queued run's place. */
export function placeRead(run: ExpressionBuilder<Schema, "runs">) {
  return jsonBuildObject({
    ahead: run
      .selectFrom("runs as other")
      .select((other) => other.fn.countAll<number>().as("count"))
      .where("other.status", "=", "pending")
      .where(sql<boolean>`(other.due_at, other.id) < (runs.due_at, runs.id)`),
    minutes: run
      .selectFrom((from) =>
        from
          .selectFrom("runs as done")
          .select(sql<number>`extract(epoch from finished_at - started_at) / 60`.as("minutes"))
          .where("done.status", "=", "completed")
          .orderBy("done.finished_at", "desc")
          .limit(RECENT)
          .as("recent"),
      )
      .select((recent) => recent.fn.avg<number | null>("minutes").as("minutes")),
    workers: run
      .selectFrom("workers")
      .select((alive) => alive.fn.countAll<number>().as("count"))
      .where("alive_until", ">", sql<Date>`clock_timestamp()`),
  });
}

export function placeOf({ ahead, minutes, workers }: ReadBy<typeof placeRead>): QueuePlace {
  const position = Number(ahead) + 1;
  const each = minutes === null ? FIRST_ESTIMATE_MINUTES : Number(minutes);
  const estimatedWait = Math.ceil((position * each) / Math.max(1, Number(workers)));
  return { position, estimatedWait: Math.max(1, estimatedWait) };
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
