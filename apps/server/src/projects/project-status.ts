import type { Project } from "@stipple/contract";
import type { ExpressionBuilder } from "kysely";
import type { RunStatus, Schema } from "../db/schema.ts";

/**
 * The run that determines a project's status: the last one, skipping runs canceled in the queue, which changed nothing.
 */
export function lastRunStatus(project: ExpressionBuilder<Schema, "projects">) {
  return project
    .selectFrom("runs")
    .select("runs.status")
    .whereRef("runs.project_id", "=", "projects.id")
    .where((is) => is.or([is("status", "!=", "cancelled"), is("prepared", "=", true)]))
    .orderBy("runs.created_at", "desc")
    .limit(1);
}

export function projectStatusOf(run: RunStatus | null): Project["status"] {
  switch (run) {
    case null:
    case "cancelled":
      return "created";
    case "running":
      return "processing";
    default:
      return run;
  }
}
