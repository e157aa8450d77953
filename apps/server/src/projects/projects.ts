import { randomUUID } from "node:crypto";
import {
  cleanOptions,
  type AnalysisOptions,
  type ChosenOptions,
  type Project,
  type RunChoices,
} from "@stipple/contract";
import type { Entitlements } from "../billing/entitlements.ts";
import type { StorageRoom } from "../billing/storage-room.ts";
import type { BillingClock } from "../billing/billing-clock.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Db } from "../db/database.ts";
import { hasActiveRun, lockRow } from "../db/rows.ts";
import { accountGone, ApiError } from "../http/api-error.ts";
import { isBlank, isOneLine } from "../http/one-line.ts";
import { projectKey } from "../storage/project-keys.ts";
import { partsOf, type Deletions } from "./deletions.ts";
import { isDownloaded } from "./download-holds.ts";
import { listed, projectsRead, lastRun, projectStatusOf } from "./project-list.ts";
import type { OwnedProject } from "../access/opened-results.ts";
import { UUID } from "../db/uuid.ts";

/** What a view says about its project. */
export interface DescribedProject {
  name: string;
  options: AnalysisOptions;
  /** When its last complete run ended. */
  analyzedAt: Date | null;
}

/** A project to create. */
export interface ProjectDraft {
  name: string;
  options: ChosenOptions;
  choices: RunChoices;
}

export interface Projects {
  list(userId: string): Promise<Project[]>;
  create(
    userId: string,
    name: string,
    options: ChosenOptions,
    settings?: RunChoices["settings"],
  ): Promise<string>;
  /** Creates all of several projects, or none. Returns their ids. */
  createAll(userId: string, drafts: readonly ProjectDraft[]): Promise<string[]>;
  /** The only place where ownership is checked: another user's project and a nonexistent one get the same refusal. */
  owned(userId: string, projectId: string): Promise<OwnedProject>;
  /** Like {@link owned}, and refuses while a workflow of the project is queued or running. */
  ownedAndIdle(userId: string, projectId: string): Promise<OwnedProject>;
  /** Throws invalid_request for a name that no project may have. */
  rename(userId: string, projectId: string, name: string): Promise<void>;
  /** Changes its name and what it analyzes. Throws project_busy while a run is queued or in progress, which began with these. */
  configure(userId: string, projectId: string, name: string, options: ChosenOptions): Promise<void>;
  /** Throws project_busy while a run is queued or in progress; `unlessDownloaded`: also while a download is. Returns the studies that used it. */
  remove(
    userId: string,
    projectId: string,
    options?: { unlessDownloaded: boolean },
  ): Promise<{ studies: string[] }>;
  /** For holders of a signed link to this project, whoever they are. Throws project_not_found. */
  described(projectId: string): Promise<DescribedProject>;
}

const LONGEST_NAME = 200;
export function openProjects(parts: {
  database: Database;
  billingClock: BillingClock;
  deletions: Deletions;
  entitlements: Entitlements;
  storageRoom: StorageRoom;
}): Projects {
  const { database, entitlements } = parts;
  const { db } = database;

  async function owned(userId: string, projectId: string): Promise<OwnedProject> {
    const row = UUID.test(projectId)
      ? await db
          .selectFrom("projects")
          .select(["id", "user_id", "name", "options"])
          .select((project) => lastRun(project).select("runs.status").as("run_status"))
          .where("id", "=", projectId)
          .where("user_id", "=", userId)
          .executeTakeFirst()
      : undefined;
    if (!row) throw new ApiError("project_not_found");
    return {
      id: row.id,
      userId: row.user_id,
      name: row.name,
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
      const { read } = await db
        .selectFrom("users")
        .select((users) => projectsRead(users).as("read"))
        .where("users.id", "=", userId)
        .executeTakeFirstOrThrow(() => accountGone());
      return listed(read, entitlements);
    },
    async create(userId, name, options, settings = {}) {
      const choices = { settings, parameters: {} };
      const [id] = await createAll(parts, userId, [{ name, options, choices }]);
      return id;
    },
    createAll: (userId, drafts) => createAll(parts, userId, drafts),
    async rename(userId, projectId, name) {
      const project = await owned(userId, projectId);
      const named = checkedName(name);
      await database.transaction((transaction) => rename(transaction, project, named));
    },
    async configure(userId, projectId, name, options) {
      const project = await owned(userId, projectId);
      const named = checkedName(name);
      await database.transaction(async (transaction) => {
        await lockRow(transaction, "projects", project.id);
        const isBusy = await hasActiveRun(transaction, "project_id", project.id);
        if (isBusy) throw new ApiError("project_busy");
        await rename(transaction, project, named);
        await transaction
          .updateTable("projects")
          .set({ options: JSON.stringify(cleanOptions(options)) })
          .where("id", "=", project.id)
          .execute();
      });
    },
    described: (projectId) => described(db, projectId),
    remove: async (userId, projectId, options = { unlessDownloaded: false }) =>
      remove(parts, await ownedAndIdle(userId, projectId), options.unlessDownloaded),
  };
}

async function described(db: Db, projectId: string): Promise<DescribedProject> {
  const row = await db
    .selectFrom("projects")
    .select(["name", "options"])
    .select((project) =>
      project
        .selectFrom("runs")
        .select("finished_at")
        .whereRef("runs.project_id", "=", "projects.id")
        .where("runs.status", "=", "completed")
        .orderBy("created_at", "desc")
        .limit(1)
        .as("analyzed_at"),
    )
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (!row) throw new ApiError("project_not_found");
  return { name: row.name, options: row.options, analyzedAt: row.analyzed_at };
}

async function rename(
  transaction: Db,
  { id, userId, name: project }: OwnedProject,
  name: string,
): Promise<void> {
  if (name === project) return;
  await transaction.updateTable("projects").set({ name }).where("id", "=", id).execute();
  await audit(transaction, { userId, what: "project_renamed", about: { project, name } });
}

async function remove(
  { database, deletions }: { database: Database; deletions: Deletions },
  { id, userId, name }: OwnedProject,
  unlessDownloaded: boolean,
): Promise<{ studies: string[] }> {
  const key = projectKey(id);
  let used: string[] = [];
  const parts = await database.transaction(async (transaction) => {
    // A run being accepted at this moment waits for this lock, or this code waits for the run's. Of simultaneous calls
    // one deletes, and is noted.
    if (!(await lockRow(transaction, "projects", id))) return [];
    const isBusy =
      (await hasActiveRun(transaction, "project_id", id)) ||
      (unlessDownloaded && (await isDownloaded(transaction, id)));
    if (isBusy) throw new ApiError("project_busy");
    used = await leaveStudies(transaction, { id, name });
    const unfinished = await partsOf(transaction, [id]);
    await transaction.deleteFrom("projects").where("id", "=", id).execute();
    await deletions.note(transaction, key);
    await audit(transaction, { userId, what: "project_deleted", about: { project: name } });
    return unfinished;
  });
  // The project is gone for everyone; if files cannot be removed, the next sweep tries again.
  await deletions.finish([key], parts).catch(() => undefined);
  return { studies: used };
}

async function createAll(
  {
    database,
    billingClock,
    storageRoom,
  }: { database: Database; billingClock: BillingClock; storageRoom: StorageRoom },
  userId: string,
  drafts: readonly ProjectDraft[],
): Promise<string[]> {
  // Storage times count from it.
  const now = await billingClock.now();
  const rows = drafts.map(({ name, options, choices }) => ({
    id: randomUUID(),
    user_id: userId,
    name: checkedName(name),
    options: JSON.stringify(cleanOptions(options)),
    choices: JSON.stringify(choices),
    created_at: now,
  }));
  await database.transaction(async (transaction) => {
    for (const row of rows) {
      await storageRoom.assertRoomForProject(transaction, userId);
      await transaction.insertInto("projects").values(row).execute();
    }
  });
  return rows.map(({ id }) => id);
}

/** Studies keep a deleted project's last name. Returns their names. */
async function leaveStudies(
  transaction: Db,
  { id, name }: Pick<OwnedProject, "id" | "name">,
): Promise<string[]> {
  const rows = await transaction
    .updateTable("study_samples")
    .from("studies")
    .set({ name })
    .whereRef("studies.id", "=", "study_samples.study_id")
    .where("project_id", "=", id)
    .returning("studies.name")
    .execute();
  return rows.map((row) => row.name);
}

/** The name without surrounding space; throws project_name_required or invalid_request. */
function checkedName(name: string): string {
  const trimmed = name.trim();
  if (isBlank(trimmed)) throw new ApiError("project_name_required");
  if (trimmed.length > LONGEST_NAME || !isOneLine(trimmed)) {
    throw new ApiError(
      "invalid_request",
      `A project name must be one line of at most ${LONGEST_NAME} characters, without invisible control characters.`,
    );
  }
  return trimmed;
}
