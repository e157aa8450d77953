import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { stepFolder, type StepNumber } from "@stipple/contract";
import type { FieldKey } from "../fields.ts";
import { SHARED } from "./results-folder.ts";
import { fieldFiles } from "./field-store.ts";
import { hashFile } from "./hash-file.ts";
import type { StepDefinition } from "../step.ts";
import { MANIFEST, type PublishedFile, type StepManifest } from "./manifest.ts";

/** Writes the manifest of a step once all its files are in its folder. Reads every byte once. */
export async function writeManifest(
  folder: string,
  step: Pick<StepDefinition, "number" | "name" | "version" | "writes">,
  told: Pick<StepManifest, "key" | "params" | "settings" | "warnings"> & { seconds(): number },
  signal?: AbortSignal,
): Promise<StepManifest> {
  const files = await describeFiles(folder, step.number, signal);
  const manifest: StepManifest = {
    step: step.number,
    name: step.name,
    version: step.version,
    ...told,
    seconds: told.seconds(),
    fields: fieldDigests(step.writes, step.number, files),
    files,
  };
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest, null, 2));
  return manifest;
}

/**
 * Sizes and hashes of all files in a staging folder, sorted by the paths under which they will be published.
 * Reads every byte once.
 */
export async function describeFiles(
  staging: string,
  step: StepNumber,
  signal?: AbortSignal,
): Promise<PublishedFile[]> {
  const entries = await readdir(staging, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const inside = relative(staging, join(entry.parentPath, entry.name)).split(sep).join("/");
      const path = inside.startsWith(`${SHARED}/`)
        ? inside.slice(SHARED.length + 1)
        : `${stepFolder(step)}/${inside}`;
      return { inside, path };
    })
    .filter(({ inside }) => inside !== MANIFEST)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const files: PublishedFile[] = [];
  for (const { inside, path } of found) {
    files.push({ path, ...(await hashFile(join(staging, inside), signal)) });
  }
  return files;
}

/** Content hashes of the fields among a step's files: computed over the names and hashes of their files. */
export function fieldDigests(
  keys: readonly FieldKey[],
  step: StepNumber,
  files: readonly PublishedFile[],
): Record<string, string> {
  const own = `${stepFolder(step)}/`;
  const digests: Record<string, string> = {};
  for (const key of keys) {
    const parts = fieldFiles(key, files);
    if (parts.length === 0) continue;
    const hash = createHash("sha256");
    for (const { path, sha256 } of parts) {
      // The path leaves out the step's folder because its number may change without its fields changing.
      hash.update(`${path.startsWith(own) ? path.slice(own.length) : path}\n${sha256}\n`);
    }
    digests[key] = hash.digest("hex");
  }
  return digests;
}
