import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../src/config.ts";
import type { TestServer } from "./server.ts";

const FILES = {
  h5: "filtered_feature_bc_matrix.h5",
  positions: "tissue_positions.csv",
  he_image: "image.tif",
};

/**
 * Gives a project the files a run needs to start, with `contents` by slot. The files contain nothing that could be
 * analyzed.
 */
export async function fillUnread(
  { config, context }: TestServer,
  project: string,
  contents: Partial<Record<keyof typeof FILES, string>> = {},
): Promise<void> {
  const folder = await inputFolder(config);
  const files = new Map<string, string>();
  for (const [slot, name] of Object.entries(FILES) as [keyof typeof FILES, string][]) {
    files.set(slot, join(folder, name));
    await writeFile(join(folder, name), contents[slot] ?? "x");
  }
  await context.uploads.fill(project, files);
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
  return folder;
}
