import { randomUUID } from "node:crypto";
import {
  cleanOptions,
  type AnalysisOptions,
  type Project,
  type RunChoices,
} from "@stipple/contract";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Clock } from "../clock.ts";
import { audit } from "../audit/audit.ts";
import type { Database } from "../db/database.ts";
import type { RunStatus } from "../db/schema.ts";
import { ApiError } from "../http/api-error.ts";
import { projectKey } from "../storage/project-keys.ts";
import type { Deletions } from "./deletions.ts";
import { isDownloaded } from "./download-holds.ts";

export interface OwnedProject {
  id: string;
  userId: string;
  name: string;
  createdAt: Date;
  options: AnalysisOptions;
  status: Project["status"];
}

export interface Projects {
  list(userId: string): Promise<Project[]>;
  create(
    userId: string,
    name: string,
    options: AnalysisOptions,
    settings?: RunChoices["settings"],
  ): Promise<string>;
  /** The one place where ownership is checked: another's project and none are the same refusal. */
  owned(userId: string, projectId: string): Promise<OwnedProject>;
  /** Like {@link owned}, and refuses while a workflow of the project is queued or running. */
  ownedAndIdle(userId: string, projectId: string): Promise<OwnedProject>;
  /** Throws project_busy while a run is queued or under way; `unlessDownloaded`: also while a download is. */
  remove(userId: string, projectId: string, options?: { unlessDownloaded: boolean }): Promise<void>;
  /** For holders of a signed link to this project, whoever they are. Throws project_not_found. */
  nameOf(projectId: string): Promise<string>;
}

const LONGEST_NAME = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function openProjects(parts: {
  database: Database;
  clock: Clock;
  deletions: Deletions;
  entitlements: Entitlements;
}): Projects {
  const { database, clock, deletions, entitlements } = parts;
  const { db } = database;

  function selectProjects(userId: string) {
    return (
      db
        .selectFrom("projects")
        // The last run says how a project stands; one that was cancelled in the queue changed nothing.
        .leftJoinLateral(
          (from) =>
            from
              .selectFrom("runs")
              .select("runs.status")
              .whereRef("runs.project_id", "=", "projects.id")
              .where((is) => is.or([is("status", "!=", "cancelled"), is("prepared", "=", true)]))
              .orderBy("runs.created_at", "desc")
              .limit(1)
              .as("last"),
          (join) => join.onTrue(),
        )
        .select([
          "projects.id",
          "projects.user_id",
          "projects.name",
          "projects.options",
          "projects.created_at",
          "last.status as run_status",
        ])
        .where("projects.user_id", "=", userId)
    );
  }

  async function owned(userId: string, projectId: string): Promise<OwnedProject> {
    const row = UUID.test(projectId)
      ? await selectProjects(userId).where("projects.id", "=", projectId).executeTakeFirst()
      : undefined;
    if (!row) throw new ApiError("project_not_found");
    return {
      id: row.id,
      userId: row.user_id,
      name: row.name,
      createdAt: row.created_at,
      options: row.options,
      status: projectStatusOf(row.run_status),
    };
  }

  async function ownedAndIdle(userId: string, projectId: string): Promise<OwnedProject> {
    const project = await owned(userId, projectId);
    if (project.status === "pending" || project.status === "processing") {
      throw new ApiError("project_busy");
    }
    return project;
  }

  return {
    owned,
    ownedAndIdle,
    async list(userId) {
      const rows = await selectProjects(userId)
        .orderBy("projects.created_at", "desc")
        .orderBy("projects.id")
        .execute();
      const expiry = await entitlements.storageExpiry(
        userId,
        rows.map((row) => row.id),
      );
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        created_at: row.created_at.toISOString(),
        status: projectStatusOf(row.run_status),
        storage_expiry: expiry.get(row.id)?.toISOString() ?? null,
        analysis_options: row.options,
      }));
    },
    async create(userId, name, options, settings = {}) {
      const trimmed = name.trim();
      if (trimmed === "") throw new ApiError("project_name_required");
      if (trimmed.length > LONGEST_NAME || trimmed.includes("\0")) {
        throw new ApiError(
          "invalid_request",
          `A project name is plain text of at most ${LONGEST_NAME} characters.`,
        );
      }
      const id = randomUUID();
      await db
        .insertInto("projects")
        .values({
          id,
          user_id: userId,
          name: trimmed,
          options: JSON.stringify(cleanOptions(options)),
          choices: JSON.stringify({ settings, parameters: {} }),
          created_at: clock.now(),
        })
        .execute();
      return id;
    },
    async nameOf(projectId) {
      const row = await db
        .selectFrom("projects")
        .select("name")
        .where("id", "=", projectId)
        .executeTakeFirst();
      if (!row) throw new ApiError("project_not_found");
      return row.name;
    },
    async remove(userId, projectId, { unlessDownloaded } = { unlessDownloaded: false }) {
      const { id, name } = await ownedAndIdle(userId, projectId);
      const key = projectKey(id);
      await database.transaction(async (transaction) => {
        // A run that is being accepted at this moment waits for this lock, or this waits for it.
        await transaction
          .selectFrom("projects")
          .select("id")
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        const run = await transaction
          .selectFrom("runs")
          .select("id")
          .where("project_id", "=", id)
          .where("status", "in", ["pending", "running"])
          .executeTakeFirst();
        if (run) throw new ApiError("project_busy");
        if (unlessDownloaded && (await isDownloaded(transaction, id))) {
          throw new ApiError("project_busy");
        }
        await transaction.deleteFrom("projects").where("id", "=", id).execute();
        await deletions.note(transaction, key);
        await audit(transaction, { userId, what: "project_deleted", about: { project: name } });
      });
      // The project is gone for everybody; should its files resist, the next sweep tries again.
      await deletions.finish([key]).catch(() => undefined);
    },
  };
}

function projectStatusOf(run: RunStatus | null): Project["status"] {
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
