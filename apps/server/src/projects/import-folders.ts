import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { STEP_NUMBERS, stepFolder, type StepNumber } from "@stipple/contract";
import { FIELDS, type FieldKey } from "@stipple/pipeline/fields";
import { fieldDigests, MANIFEST, readManifest } from "@stipple/pipeline/results";
import { hashFile } from "@stipple/pipeline/hash-file";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { lockRow } from "../db/rows.ts";
import type { Deletions } from "./deletions.ts";
import type { Logger } from "pino";
import type { Outputs } from "../outputs/read.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { Storage } from "../storage/storage.ts";
import { resultsKey } from "../storage/project-keys.ts";
import { publishStep } from "../outputs/publish.ts";

/** Folders at the top of the results, and the steps that wrote them in versions that kept results as folders. */
const SHARED_FOLDERS = { figures: 6, analysis_results: 7 } as const;

type Parts = {
  database: Database;
  storage: Storage;
  reads: SoundReads;
  scratch: Scratch;
  clock: Clock;
  deletions: Deletions;
  logger: Logger;
  outputs: Outputs;
};

/**
 * Publishes results that are in the storage as folders, as early versions kept them, and removes the folders.
 * Afterward, nothing is left to import; after a crash, the next start finishes the job.
 */
export async function importFolders(parts: Parts): Promise<void> {
  const { database, storage, logger } = parts;
  const keysOf = new Map<string, string[]>();
  for await (const { key } of storage.list("projects")) {
    const [, projectId, kind] = key.split("/");
    if (projectId && kind === "results") {
      keysOf.set(projectId, [...(keysOf.get(projectId) ?? []), key]);
    }
  }
  for (const [projectId, keys] of keysOf) {
    const project = await database.db
      .selectFrom("projects")
      .select("id")
      .where("id", "=", projectId)
      .executeTakeFirst();
    // A deleted project's folder is handled by the deletions.
    if (!project) continue;
    const steps = await importProject(parts, projectId, keys);
    logger.info({ project: projectId, steps }, "results of an early version were imported");
  }
}

async function importProject(
  parts: Parts,
  projectId: string,
  keys: readonly string[],
): Promise<StepNumber[]> {
  const { database, storage, scratch, deletions, outputs } = parts;
  const prefix = resultsKey(projectId);
  const folder = join(scratch.folder, "import", randomUUID());
  const there = new Set((await outputs.steps(projectId)).map(({ step }) => step));
  const imported: StepNumber[] = [];
  try {
    const paths = keys.map((key) => key.slice(prefix.length + 1));
    for (const path of paths) await storage.fetchTo(`${prefix}/${path}`, join(folder, path));
    for (const step of STEP_NUMBERS) {
      const manifest = readManifest(folder, step);
      // A run of this version may have made it again already.
      if (!manifest || there.has(step)) continue;
      const files = [];
      for (const path of paths.filter((one) => isOf(step, one)).sort()) {
        files.push({ path, ...(await hashFile(join(folder, path))) });
      }
      const fields = (Object.keys(FIELDS) as FieldKey[]).filter((key) => FIELDS[key].step === step);
      await publishStep(parts, {
        projectId,
        manifest: { ...manifest, settings: {}, fields: fieldDigests(fields, step, files), files },
        folder,
        guard: async (transaction) => {
          const isThere = await lockRow(transaction, "projects", projectId);
          if (!isThere) throw new Error(`The project ${projectId} was deleted meanwhile`);
        },
      });
      imported.push(step);
    }
    await database.transaction((transaction) => deletions.note(transaction, prefix));
    await deletions.finish([prefix]);
    return imported;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isOf(step: StepNumber, path: string): boolean {
  const [top] = path.split("/", 1);
  if (path === `${stepFolder(step)}/${MANIFEST}`) return false;
  return top === stepFolder(step) || SHARED_FOLDERS[top as keyof typeof SHARED_FOLDERS] === step;
}
