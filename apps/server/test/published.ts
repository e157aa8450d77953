import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { STEPS, stepFolder, type StepNumber } from "@stipple/contract";
import { readManifests, type StepManifest } from "@stipple/pipeline/results";
import { materialize } from "../src/outputs/materialize.ts";
import { publishStep, type Published } from "../src/outputs/publish.ts";
import type { TestServer } from "./server.ts";

/** File contents by path in the results folder. */
export type Contents = Record<string, string | Uint8Array>;

/** Publishes files for a step of a project, as if the step had written exactly these. */
export function publishFiles(
  { context }: TestServer,
  projectId: string,
  step: StepNumber,
  contents: Contents,
  change: Partial<StepManifest> = {},
): Promise<Published> {
  return asStep(
    step,
    contents,
    (written) =>
      publishStep(context, {
        ...written,
        projectId,
        guard: (transaction) => context.entitlements.noteYield(transaction, projectId, step),
      }),
    change,
  );
}

/** Writes files into a folder as a step does, for the time of `use`. */
export async function asStep<T>(
  step: StepNumber,
  contents: Contents,
  use: (written: { manifest: StepManifest; folder: string }) => Promise<T>,
  change: Partial<StepManifest> = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "stipple-published-"));
  try {
    for (const [path, content] of Object.entries(contents)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return await use({ manifest: manifestOf(step, contents, change), folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Adds files to a project's published results, each under the step that writes such files. */
export async function addFiles(
  server: TestServer,
  projectId: string,
  contents: Contents,
): Promise<void> {
  const { outputs } = server.context;
  for (const [step, own] of Map.groupBy(Object.entries(contents), ([path]) => stepOf(path))) {
    const manifest = (await outputs.manifests(projectId)).find((one) => one.step === step);
    const before: Contents = {};
    for (const { path } of manifest?.files ?? []) {
      before[path] = await buffer(await outputs.open((await outputs.find(projectId, path))!));
    }
    await publishFiles(server, projectId, step, { ...before, ...Object.fromEntries(own) });
  }
}

function stepOf(path: string): StepNumber {
  const [top] = path.split("/", 1);
  const own = STEPS.find(({ number }) => top === stepFolder(number));
  return own?.number ?? (top === "figures" ? 6 : 7);
}

export function manifestOf(
  step: StepNumber,
  contents: Contents,
  change: Partial<StepManifest> = {},
): StepManifest {
  const files = Object.entries(contents).map(([path, content]) => ({
    path,
    size: Buffer.from(content).length,
    sha256: createHash("sha256").update(content).digest("hex"),
  }));
  return {
    step,
    name: STEPS[step].name,
    version: 1,
    key: createHash("sha256").update(JSON.stringify(files)).digest("hex"),
    params: {},
    settings: {},
    seconds: 1.5,
    warnings: [],
    fields: {},
    files,
    ...change,
  };
}

/** Publishes every finished step of a results folder that the pipeline wrote. */
export async function publishResults(
  { context }: TestServer,
  projectId: string,
  folder: string,
): Promise<void> {
  for (const manifest of readManifests(folder)) {
    if (!manifest) continue;
    await publishStep(context, {
      projectId,
      manifest,
      folder,
      guard: (transaction) => context.entitlements.noteYield(transaction, projectId, manifest.step),
    });
  }
}

/** A project's results as a folder. */
export async function fetchResults({ context }: TestServer, projectId: string, folder: string) {
  const folders = [...STEPS.map(({ number }) => stepFolder(number)), "figures", "analysis_results"];
  await materialize(context.outputs, await context.outputs.below(projectId, folders), folder);
}
