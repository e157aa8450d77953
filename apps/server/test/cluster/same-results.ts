import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { readManifests, type StepManifest } from "@stipple/pipeline/results";
import type { Context } from "../../src/context.ts";
import { h5Contents } from "../h5-contents.ts";

/** Files that contain times or durations, or the checksum of such a file. */
const TIMED = /(^|\/)(provenance\.json|report\.html|step7_output\/summary\.json|.*\.h5ad)$/;
const H5AD = "analysis_results/output/cell_expression_processed.h5ad";

/** What a run produced, apart from times: SHA-256 of each file and of the h5ad's datasets. */
export interface RunContents {
  steps: { step: number; key: string; fields: Record<string, string> }[];
  files: Record<string, string>;
  h5ad: Record<string, string>;
}

/** Analyzes a project's input on this machine alone, without interruptions. */
export async function localContents(
  context: Context,
  projectId: string,
  name: string,
): Promise<RunContents> {
  return inFolder(async (folder) => {
    const [input, results] = [join(folder, "input"), join(folder, "results")];
    for (const file of await context.uploads.inputs(projectId)) {
      await context.storage.fetchTo(file.storageKey, join(input, file.name));
    }
    await analysis.run({
      input,
      results,
      settings: analysisSettings.parse({ sampleName: name }),
      threads: 1,
      signal: new AbortController().signal,
    });
    const manifests = readManifests(results).filter((manifest) => manifest !== null);
    return contentsOf(manifests, await h5Contents(join(results, H5AD)));
  });
}

/** What is published for a project. Throws if a stored file does not match its row. */
export async function publishedContents(context: Context, projectId: string) {
  const { outputs } = context;
  const manifests = await outputs.manifests(projectId);
  for (const { path, sha256 } of manifests.flatMap(({ files }) => files)) {
    const stored = await outputs.find(projectId, path);
    const hash = createHash("sha256");
    if (stored) await pipeline(await outputs.open(stored), hash);
    if (hash.digest("hex") !== sha256) throw new Error(`${path} is not what its row says`);
  }
  return inFolder(async (folder) => {
    const path = join(folder, "cells.h5ad");
    const stored = await outputs.find(projectId, H5AD);
    await pipeline(await outputs.open(stored!), createWriteStream(path));
    return contentsOf(manifests, await h5Contents(path));
  });
}

function contentsOf(manifests: readonly StepManifest[], h5ad: Record<string, string>): RunContents {
  const files = manifests.flatMap((manifest) => manifest.files);
  return {
    steps: manifests.map(({ step, key, fields }) => ({ step, key, fields })),
    files: Object.fromEntries(
      files.filter(({ path }) => !TIMED.test(path)).map(({ path, sha256 }) => [path, sha256]),
    ),
    h5ad,
  };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "stipple-contents-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
