import type { Project } from "@stipple/contract";
import type { ExpressionBuilder } from "kysely";
import type { RunStatus, Schema } from "../db/schema.ts";

/**
 * The run that determines a project's status: the last one. Runs canceled before they began changed nothing, so they
 * count only if there is no other.
 */
export function lastRunStatus(project: ExpressionBuilder<Schema, "projects">) {
  return project
    .selectFrom("runs")
    .select("runs.status")
    .whereRef("runs.project_id", "=", "projects.id")
    .orderBy((is) => is.or([is("status", "!=", "cancelled"), is("prepared", "=", true)]), "desc")
    .orderBy("runs.created_at", "desc")
    .limit(1);
}

export function projectStatusOf(run: RunStatus | null): Project["status"] {
  switch (run) {
    case null:
      return "created";
    case "running":
      return "processing";
    default:
      return run;
  }
}
