import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  STEP_NUMBERS,
  stepFolder,
  stepKey,
  type StepKey,
  type StepNumber,
} from "@stipple/contract";
import { InputError } from "../errors.ts";
import { FIELDS, type FieldKey, type StoredKey } from "../fields.ts";
import { viewOf, type Read, type ReadKey } from "../views.ts";
import { fieldFiles, hasField, readField } from "./field-store.ts";
import { REMEMBERED } from "./input-digests.ts";
import { MANIFEST, readManifest, readManifests } from "./manifest.ts";
import type { ReadOptions } from "@stipple/formats/npy";
import { openSparseRows } from "./sparse-rows.ts";

/** Subfolder of a staging folder whose contents are published at the top of the results folder. */
export const SHARED = ".shared";

/**
 * Files of each finished step, relative to its folder's parent. A step is done if its list is nonempty.
 * Subfolders count as one entry each.
 */
export async function listOutputFiles(results: string): Promise<Record<StepKey, string[]>> {
  const lists = {} as Record<StepKey, string[]>;
  for (const number of STEP_NUMBERS) {
    const folder = stepFolder(number);
    const names = await readdir(join(results, folder)).catch(() => []);
    lists[stepKey(number)] = names
      .filter((name) => name !== MANIFEST)
      .sort()
      .map((name) => `${folder}/${name}`);
  }
  return lists;
}

/** Loads a field or a view from a results folder, whichever step wrote it. Throws if it does not exist. */
export async function readResult<K extends ReadKey>(
  results: string,
  key: K,
  options: ReadOptions = {},
): Promise<Read<K>> {
  const view = viewOf(key);
  const value = view
    ? await view.open({
        read: (part) => readResult(results, part),
        has: (part) => hasResult(results, part),
        rows: (part) => openSparseRows(results, part),
      })
    : await readStored(results, key as FieldKey, options);
  return value as Read<K>;
}

async function readStored(results: string, key: FieldKey, options: ReadOptions): Promise<unknown> {
  const { kind, step } = FIELDS[key];
  if (kind !== "files")
    return readField(join(results, stepFolder(step)), key as StoredKey, options);
  const manifest = readManifest(results, step);
  if (!manifest) throw new Error(`Step ${step}, which writes ${key}, is not done`);
  return fieldFiles(key, manifest.files).map(({ path }) => join(results, path));
}

/** A field of the results, or null if it was not written. */
export async function readResultIfAny<K extends ReadKey>(
  results: string,
  key: K,
): Promise<Read<K> | null> {
  return hasResult(results, key) ? readResult(results, key) : null;
}

/** Whether the results contain a field; those of the advanced analysis are missing from a basic run. */
export function hasResult(results: string, key: ReadKey): boolean {
  const parts = viewOf(key)?.parts ?? [key as FieldKey];
  return parts.every((part) => {
    const { kind, step } = FIELDS[part];
    return kind === "files"
      ? readManifest(results, step) !== null
      : hasField(join(results, stepFolder(step)), part as StoredKey);
  });
}

/** Name under which a step's folder is built before a single rename publishes it. */
export function stagingFolder(results: string, step: StepNumber): string {
  return join(results, `.${stepFolder(step)}.partial`);
}

/** Throws {@link InputError} if a shared folder that steps replace already exists, but no results of an earlier run. */
export function assertReplaceable(results: string, folders: readonly string[]): void {
  const there = folders.find((folder) => existsSync(join(results, folder)));
  if (there === undefined || existsSync(join(results, REMEMBERED))) return;
  if (readManifests(results).some((manifest) => manifest !== null)) return;
  throw new InputError(
    `${results} has a folder ${there} that is not from Stipple and would be replaced: choose another folder for the results.`,
  );
}

/** Removes a step's files, its shared folders, and anything left half-written by a crash. */
export async function clearStep(
  results: string,
  step: StepNumber,
  folders: readonly string[] = [],
): Promise<void> {
  // The step's own folder goes first: without it the step no longer counts as done.
  for (const path of [
    join(results, stepFolder(step)),
    stagingFolder(results, step),
    ...folders.map((folder) => join(results, folder)),
  ]) {
    await rm(path, { recursive: true, force: true });
  }
}

/**
 * Publishes a finished staging folder as the step's output. Shared folders go first, because the step counts as
 * done once its own folder exists.
 */
export async function publishStep(
  results: string,
  step: StepNumber,
  folders: readonly string[] = [],
): Promise<void> {
  const staging = stagingFolder(results, step);
  for (const folder of folders) {
    await rm(join(results, folder), { recursive: true, force: true });
    await rename(join(staging, SHARED, folder), join(results, folder));
  }
  await rm(join(staging, SHARED), { recursive: true, force: true });
  await rename(staging, join(results, stepFolder(step)));
}

/** An empty staging folder for a step. */
export async function openStaging(
  results: string,
  step: StepNumber,
  folders: readonly string[] = [],
): Promise<string> {
  const staging = stagingFolder(results, step);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  for (const folder of folders) await mkdir(join(staging, SHARED, folder), { recursive: true });
  return staging;
}
