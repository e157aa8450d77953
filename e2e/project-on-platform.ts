import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { STEPS, stepFolder } from "@stipple/contract";
import { MANIFEST } from "@stipple/pipeline/results";
import { readConfig } from "../apps/server/src/config.ts";
import { openContext } from "../apps/server/src/context.ts";
import { importFolders } from "../apps/server/src/projects/import-folders.ts";
import { runningDatabaseUrl } from "../apps/cli/src/serve/postgres.ts";
import { call, newAccount } from "./client.ts";
import type { Platform } from "./platform.ts";

/** Creates a finished project from a results folder, sharing its files, and returns the URL of its view. */
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
  const folder = join(dataDir, "files/projects", id, "results");
  await linkFolder(results, folder);
  await publishFolder(dataDir, id, folder);
  return id as string;
}

/** Publishes a results folder the way a worker does with one from an early version. */
async function publishFolder(dataDir: string, id: string, folder: string): Promise<void> {
  for (const { number, name } of STEPS) {
    const manifest = join(folder, stepFolder(number), MANIFEST);
    if (!existsSync(join(folder, stepFolder(number))) || existsSync(manifest)) continue;
    const early = { step: number, name, version: 0, key: folder, params: {}, seconds: 0 };
    await writeFile(manifest, JSON.stringify({ ...early, warnings: [] }));
  }
  const config = readConfig({
    DATABASE_URL: await runningDatabaseUrl(dataDir),
    STIPPLE_DATA_DIR: dataDir,
    STIPPLE_LOG_LEVEL: "error",
  });
  await using context = await openContext(config, { name: "bench" });
  await importFolders(context);
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

/** Hard-links a folder's files into another folder without copying. Both must be on the same disk. */
async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? linkFolder(source, target) : link(source, target));
  }
}
