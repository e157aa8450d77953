import { randomUUID } from "node:crypto";
import { FIRST_STEP, type LiveExampleState } from "@stipple/contract";
import { steps } from "@stipple/pipeline/steps";
import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database, Db } from "../db/database.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Projects } from "../projects/projects.ts";
import type { Runs } from "../runs/runs.ts";
import type { SampleDataset } from "../sample/sample-dataset.ts";
import type { Uploads } from "../uploads/uploads.ts";
import type { VisualizationLinks } from "../visualization/links.ts";
import { whenDue } from "../operations/chores.ts";
import { newSampleProject } from "../sample/sample-project.ts";
import { statusRead, workflowStatus } from "../runs/status.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";

/**
 * The sample dataset's results, for anyone to view: one project of an account that belongs to nobody, made when the
 * first visitor asks for it.
 */
export interface LiveExample {
  /** Three or four queries. */
  look(): Promise<LiveExampleState>;
  /**
   * Makes the example unless it is there or under way, and says where it stands. Of all calls to all API processes within
   * `RETRY_MS` only one makes it; the others find it under way. One whose run failed, or whose results are damaged or of
   * an earlier version, is replaced.
   */
  ask(): Promise<LiveExampleState>;
}

/** How long one attempt may take to accept the run, and the least time between two attempts. */
const RETRY_MS = 3 * 60_000;
const CHORE = "live-example";
const NAME = "Sample dataset (simulated tissue)";
/** Not an email address, so it can neither register nor receive mail. */
const OWNER_NAME = "live example";

interface Parts {
  clock: Clock;
  config: Config;
  database: Database;
  outputs: Outputs;
  projects: Projects;
  runs: Runs;
  sample: SampleDataset;
  uploads: Uploads;
  visualizationLinks: VisualizationLinks;
}

export function openLiveExample(parts: Parts): LiveExample {
  const { clock, config, database, outputs, visualizationLinks } = parts;
  const { db } = database;

  /** "idle" = a project whose run has not been accepted. */
  async function stored(): Promise<LiveExampleState | { state: "idle" }> {
    const [id] = await projectsOfExample(db);
    if (id === undefined) return { state: "idle" };
    const row = await db
      .selectFrom("users")
      .select((users) => statusRead(users, id).as("project"))
      .where("users.id", "=", EXAMPLE_OWNER)
      .executeTakeFirst();
    if (!row?.project?.run) return { state: "idle" };
    const { status, seconds_left } = workflowStatus(row.project, clock);
    if (status === "pending" || status === "processing")
      return { state: "preparing", seconds_left };
    if (status !== "completed" || !(await isCurrent(outputs, id))) return { state: "none" };
    return { state: "ready", url: await visualizationLinks.issueExample(id) };
  }

  async function look(): Promise<LiveExampleState> {
    if (!config.liveExample) return { state: "off" };
    const now = await stored();
    if (now.state !== "idle") return now;
    return (await isBeingMade(db)) ? { state: "preparing", seconds_left: null } : { state: "none" };
  }

  return {
    look,
    async ask() {
      const before = await look();
      if (before.state !== "none") return before;
      await whenDue(parts, CHORE, RETRY_MS, async () => {
        try {
          const { state } = await stored();
          // Unless another process was faster.
          if (state !== "ready" && state !== "preparing") await make(parts);
        } catch (error) {
          // Nothing is under way anymore.
          await db.deleteFrom("chores").where("name", "=", CHORE).execute();
          throw error;
        }
      });
      return look();
    },
  };
}

async function make(parts: Parts): Promise<void> {
  const { clock, projects, runs, uploads } = parts;
  const { db } = parts.database;
  await db
    .insertInto("users")
    // No password has this hash.
    .values({
      id: EXAMPLE_OWNER,
      email: OWNER_NAME,
      password_hash: randomUUID(),
      created_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (const id of await projectsOfExample(db)) await projects.remove(EXAMPLE_OWNER, id);
  const project = await projects.owned(
    EXAMPLE_OWNER,
    await newSampleProject(parts, EXAMPLE_OWNER, NAME),
  );
  await runs.start(project, { startStep: FIRST_STEP, inputs: await uploads.sizes(project.id) });
}

async function projectsOfExample(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("projects")
    .select("id")
    .where("user_id", "=", EXAMPLE_OWNER)
    .orderBy("created_at", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the results are complete, sound, and of this version. */
async function isCurrent(outputs: Outputs, projectId: string): Promise<boolean> {
  const versions = new Map(
    (await outputs.steps(projectId)).map(({ step, version }) => [step, version]),
  );
  return (
    steps.every(({ number, version }) => versions.get(number) === version) &&
    (await outputs.damagedSteps(projectId)).length === 0
  );
}

/** Whether an attempt has begun that may not have accepted its run yet. */
async function isBeingMade(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom("chores")
    .select("name")
    .where("name", "=", CHORE)
    .where("due_at", ">", sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return row !== undefined;
}
