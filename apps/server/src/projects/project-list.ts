import type { Project } from "@stipple/contract";
import type { ExpressionBuilder } from "kysely";
import { jsonArrayFrom, jsonBuildObject } from "kysely/helpers/postgres";
import { accountOf, accountRead } from "../billing/account-record.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { ReadBy } from "../db/prepared.ts";
import type { Schema, RunStatus } from "../db/schema.ts";

/** A user's projects, newest first, with the data that determines their storage time. */
export function projectsRead(users: ExpressionBuilder<Schema, "users">) {
  return jsonBuildObject({
    account: accountRead(users),
    projects: jsonArrayFrom(
      users
        .selectFrom("projects")
        .leftJoin("analyses", (join) =>
          join.onRef("analyses.project_id", "=", "projects.id").on("analyses.current", "=", true),
        )
        .select(["projects.id", "projects.name", "projects.options", "projects.created_at"])
        .select(["analyses.completed_at", "analyses.retention_days"])
        .select((project) => [
          lastRun(project).select("runs.status").as("run_status"),
          waitsNow(project).as("waits"),
          jsonArrayFrom(
            project
              .selectFrom("study_samples")
              .innerJoin("studies", "studies.id", "study_samples.study_id")
              .select("studies.name")
              .whereRef("study_samples.project_id", "=", "projects.id")
              .orderBy("studies.name"),
          ).as("studies"),
        ])
        .whereRef("projects.user_id", "=", "users.id")
        .orderBy("projects.created_at", "desc")
        .orderBy("projects.id"),
    ),
  });
}

/** The list as the API answers it. */
export function listed(
  read: ReadBy<typeof projectsRead>,
  entitlements: Pick<Entitlements, "storageEndOf">,
): Project[] {
  const endOf = entitlements.storageEndOf(accountOf(read.account));
  return read.projects.map((row) => ({
    id: row.id,
    name: row.name,
    created_at: new Date(row.created_at).toISOString(),
    status: projectStatusOf(row.run_status),
    ...(row.waits && { waits: true as const }),
    storage_expiry:
      endOf({
        createdAt: new Date(row.created_at),
        completedAt: row.completed_at === null ? null : new Date(row.completed_at),
        promisedDays: row.retention_days,
      })?.toISOString() ?? null,
    analysis_options: row.options,
    ...(row.studies.length > 0 && { studies: row.studies.map(({ name }) => name) }),
  }));
}

/**
 * The run that determines a project's status: the last one. Runs canceled before they began changed nothing, so they
 * count only if there is no other.
 */
export function lastRun(project: ExpressionBuilder<Schema, "projects">) {
  return project
    .selectFrom("runs")
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
