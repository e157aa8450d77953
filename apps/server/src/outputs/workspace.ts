import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { stepFolder, type StepNumber } from "@stipple/contract";
import { MANIFEST, readManifests, type StepManifest } from "@stipple/pipeline/results";
import type { Database } from "../db/database.ts";
import { untilStorageAnswers } from "../storage/storage-away.ts";
import { fetchInput, type InputFile } from "./input-reads.ts";
import { isThere, materialize } from "./materialize.ts";
import type { Outputs } from "./read.ts";
import type { SoundReads } from "./sound-reads.ts";

/**
 * A run's project on a worker's disk, for its steps to read and write. It is scratch space that can be lost and
 * recreated at any time.
 */
export interface Workspace {
  /** Folder of the input files. */
  input: string;
  results: string;
  /**
   * Fetches input files by name and published files by path, and checks them; existing ones stay. Returns the bytes
   * fetched. Throws a DamagedFileError. Writes nothing after it has ended, even if it was aborted.
   */
  provide(
    needs: { inputs: readonly string[]; files: readonly string[] },
    signal?: AbortSignal,
  ): Promise<number>;
}

/** The workspaces of one worker. Nobody else writes below `folder`. */
export interface Workspaces {
  /**
   * Opens a run's workspace: its results hold the manifests of the finished steps, as the database has them, and
   * nothing of any other state. Files come with {@link Workspace.provide}. `without`: steps that count as not done.
   */
  open(
    runId: string,
    projectId: string,
    inputs: readonly InputFile[],
    without?: readonly StepNumber[],
  ): Promise<Workspace>;
  remove(runId: string): Promise<void>;
}

/** Which object each input file is a copy of. */
const INPUTS = "inputs.json";

export function openWorkspaces(
  { database, outputs, reads }: { database: Database; outputs: Outputs; reads: SoundReads },
  folder: string,
): Workspaces {
  return {
    async open(runId, projectId, inputs, without = []) {
      const root = join(folder, runId);
      const [input, results] = [join(root, "input"), join(root, "results")];
      await mkdir(input, { recursive: true });
      await mkdir(results, { recursive: true });
      const manifests = await outputs.manifests(projectId);
      await matchManifests(
        results,
        manifests.filter(({ step }) => !without.includes(step)),
      );
      await matchInputs(root, inputs);
      return {
        input,
        results,
        async provide(needs, signal) {
          let bytes = 0;
          for (const name of needs.inputs) {
            signal?.throwIfAborted();
            const file = inputs.find((one) => one.name === name);
            if (!file) throw new Error(`The project has no input file ${name}`);
            if (await isThere(join(input, name), file.size)) continue;
            const path = join(input, name);
            await untilStorageAnswers(
              () => fetchInput({ db: database.db, reads }, file, path, signal),
              signal,
            );
            bytes += file.size;
          }
          const files = await outputs.findAll(projectId, needs.files);
          if (files.length < new Set(needs.files).size) {
            throw new Error("A file of an earlier step is no longer published");
          }
          return (
            bytes +
            (await untilStorageAnswers(() => materialize(outputs, files, results, signal), signal))
          );
        },
      };
    },
    remove: (runId) => rm(join(folder, runId), { recursive: true, force: true }),
  };
}

/**
 * Keeps only what belongs to exactly these steps; files of any other state are removed, and fetched again when needed.
 */
async function matchManifests(results: string, wanted: readonly StepManifest[]): Promise<void> {
  const found = readManifests(results).filter((manifest) => manifest !== null);
  const isKept = (manifest: StepManifest): boolean =>
    wanted.some((other) => isDeepStrictEqual(identityOf(other), identityOf(manifest)));
  if (!found.every(isKept)) {
    await rm(results, { recursive: true });
    found.length = 0;
  }
  for (const manifest of wanted) {
    if (found.some(({ step }) => step === manifest.step)) continue;
    await mkdir(join(results, stepFolder(manifest.step)), { recursive: true });
    await writeFile(
      join(results, stepFolder(manifest.step), MANIFEST),
      JSON.stringify(manifest, null, 2),
    );
  }
}

function identityOf({ step, key, version, files }: StepManifest): unknown {
  return [step, key, version, files.map(({ path, sha256 }) => `${sha256} ${path}`).sort()];
}

/** Removes input files that come from other objects than the project has now. */
async function matchInputs(root: string, inputs: readonly InputFile[]): Promise<void> {
  const wanted = Object.fromEntries(inputs.map(({ name, storageKey }) => [name, storageKey]));
  const note = join(root, INPUTS);
  const noted = await readFile(note, "utf8").then(
    (text) => JSON.parse(text) as Record<string, string>,
    () => ({}) as Record<string, string>,
  );
  for (const name of await readdir(join(root, "input"))) {
    if (noted[name] === undefined || noted[name] !== wanted[name])
      await rm(join(root, "input", name), { recursive: true });
  }
  await writeFile(note, JSON.stringify(wanted));
}
