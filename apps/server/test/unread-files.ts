import { appendFile, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { PLATFORM_FIXTURES } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import type { Config } from "../src/config.ts";
import type { TestServer } from "./server.ts";

/** Texts that make a sample's counts or image others than those of other calls. */
interface Contents {
  counts?: string;
  he_image?: string;
}

/** Gives a project files that pass all checks before a run, and with which the run fails: their counts are no numbers. */
export async function fillUnread(
  { config, context }: TestServer,
  project: string,
  { counts = "", he_image: image = "" }: Contents = {},
): Promise<void> {
  const { files } = await PLATFORM_FIXTURES.visium(await inputFolder(config));
  const { matrix, he_image: imageFile } = files as { matrix: string; he_image: string };
  const [banner, ...rows] = gunzipSync(await readFile(matrix))
    .toString()
    .split("\n");
  await writeFile(matrix, gzipSync([banner, `% ${counts}`, ...rows].join("\n")));
  await appendFile(imageFile, image);
  await context.uploads.fill(project, new Map(Object.entries(files)));
}

/** A labeled reference that nothing reads, in the form `fill` takes. */
export async function unreadReference({ config }: TestServer): Promise<Map<string, string>> {
  const path = join(await inputFolder(config), "reference.h5ad");
  await writeFile(path, "x");
  return new Map([["reference", path]]);
}

async function inputFolder(config: Config): Promise<string> {
  const folder = join(config.dataDir, "inputs");
  await mkdir(folder, { recursive: true });
  return mkdtemp(join(folder, "sample-"));
}
