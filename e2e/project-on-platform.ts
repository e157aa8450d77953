import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { STEPS, stepFolder, type StepNumber } from "@stipple/contract";
import { FIELDS, type FieldKey } from "@stipple/pipeline/fields";
import { hashFile } from "@stipple/pipeline/hash-file";
import { fieldDigests, readManifest, type StepManifest } from "@stipple/pipeline/results";
import { readConfig } from "../apps/server/src/config.ts";
import { openContext } from "../apps/server/src/context.ts";
import { publishStep } from "../apps/server/src/outputs/publish.ts";
import { runningDatabaseUrl } from "../apps/cli/src/serve/postgres.ts";
import { call, newAccount } from "./client.ts";
import type { Platform } from "./platform.ts";

/** Creates a finished project from a results folder and returns the URL of its view. */
export async function placeOnPlatform(
  platform: Platform,
  results: string,
  name: string,
): Promise<string> {
  const { url } = platform;
  const token = await newAccount(url, `${name}@example.org`);
  const id = await placeInAccount(platform, token, results, name);
  const view = await call(url, "POST", `/start_visualization?project_id=${id}`, { token });
  return view.url;
}

/** The same in an account that there is; returns the project's id. */
export async function placeInAccount(
  { url, dataDir }: Pick<Platform, "url" | "dataDir">,
  token: string,
  results: string,
  name: string,
): Promise<string> {
  const { project_id: id } = await call(url, "POST", "/create_project", {
    token,
    body: {
      project_name: name,
      analysis_options: {
        platform: "hd_visium",
        staining: "h_and_e",
        analysis_type: "basic",
        resolution: "8",
      },
    },
  });
  await publishFolder(dataDir, id, results);
  return id as string;
}

/** Publishes the steps of a results folder, also those that a test wrote without a manifest. */
async function publishFolder(dataDir: string, id: string, folder: string): Promise<void> {
  const config = readConfig({
    DATABASE_URL: await runningDatabaseUrl(dataDir),
    STIPPLE_DATA_DIR: dataDir,
    STIPPLE_LOG_LEVEL: "error",
  });
  await using context = await openContext(config, { name: "bench" });
  for (const { number } of STEPS) {
    const manifest = readManifest(folder, number) ?? (await madeManifest(folder, number));
    const guard = (): Promise<void> => Promise.resolve();
    await publishStep(context, { projectId: id, manifest, folder, guard });
  }
  const { db } = context.database;
  const { user_id } = await db
    .selectFrom("projects")
    .select("user_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const at = new Date();
  await db
    .insertInto("runs")
    .values({
      ...{ id: randomUUID(), project_id: id, user_id, status: "completed", start_step: 0 },
      ...{ log: "[]", created_at: at, due_at: at, finished_at: at },
    })
    .execute();
}

/** Folders at the top of the results, and the steps that write them. */
const SHARED_FOLDERS: Partial<Record<string, StepNumber>> = { figures: 6, analysis_results: 7 };

async function madeManifest(folder: string, step: StepNumber): Promise<StepManifest> {
  const files = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    const [top] = path.split("/", 1);
    if (!entry.isFile() || (top !== stepFolder(step) && SHARED_FOLDERS[top] !== step)) continue;
    files.push({ path, ...(await hashFile(join(folder, path))) });
  }
  const fields = (Object.keys(FIELDS) as FieldKey[]).filter((key) => FIELDS[key].step === step);
  const { name } = STEPS[step];
  const plain = { step, name, version: 0, key: folder, params: {}, settings: {}, seconds: 0 };
  return { ...plain, warnings: [], fields: fieldDigests(fields, step, files), files };
}
