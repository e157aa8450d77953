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

/** Whether it runs once its account's earlier runs have ended. */
export function waitsNow(project: ExpressionBuilder<Schema, "projects">) {
  return project.exists(
    project
      .selectFrom("waiting_runs")
      .select("waiting_runs.project_id")
      .whereRef("waiting_runs.project_id", "=", "projects.id")
      .where("waiting_runs.refusal", "is", null),
  );
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
