import { readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { STEPS, stepFolder, stepKey, type StepKey, type StepNumber } from "@stipple/contract";
import { FIELDS, type Field, type FieldKey } from "../fields.ts";
import { hasField, readField } from "./field-store.ts";

/** What a finished step leaves behind beside its files. */
export interface StepManifest {
  step: StepNumber;
  name: string;
  version: number;
  /** Hash over step, version, parameters, settings, inputs and the keys of the steps read. */
  key: string;
  params: unknown;
  seconds: number;
  warnings: string[];
}

export const MANIFEST = "step.json";

/** Files of each finished step, relative to its folder's parent. A step is done when its list is non-empty. Sub-folders count as one entry each. */
export async function listOutputFiles(results: string): Promise<Record<StepKey, string[]>> {
  const lists = {} as Record<StepKey, string[]>;
  for (const { number } of STEPS) {
    const folder = stepFolder(number);
    const names = await readdir(join(results, folder)).catch(() => []);
    lists[stepKey(number)] = names
      .filter((name) => name !== MANIFEST)
      .sort()
      .map((name) => `${folder}/${name}`);
  }
  return lists;
}

/** The manifest of a finished step, or null when the step is not done. */
export function readManifest(results: string, step: StepNumber): StepManifest | null {
  try {
    return JSON.parse(readFileSync(join(results, stepFolder(step), MANIFEST), "utf8"));
  } catch {
    return null;
  }
}

/** Loads a field of a results folder, whichever step wrote it. */
export function readResult<K extends FieldKey>(results: string, key: K): Promise<Field<K>> {
  return readField(join(results, stepFolder(FIELDS[key].step)), key);
}

/** Whether the results hold a field; those of the advanced analysis are missing from a basic one. */
export function hasResult(results: string, key: FieldKey): boolean {
  return hasField(join(results, stepFolder(FIELDS[key].step)), key);
}

/** Name under which a step's folder is built before it is published by one rename. */
export function stagingFolder(results: string, step: StepNumber): string {
  return join(results, `.${stepFolder(step)}.partial`);
}

/** Removes a step's files, its shared folders and whatever a crash left half-written. */
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

/** Makes a finished staging folder the step's output. Shared folders first: the step is done only once its own folder stands. */
export async function publishStep(
  results: string,
  step: StepNumber,
  folders: readonly string[] = [],
): Promise<void> {
  const staging = stagingFolder(results, step);
  for (const folder of folders) {
    await rm(join(results, folder), { recursive: true, force: true });
    await rename(join(staging, ".shared", folder), join(results, folder));
  }
  await rm(join(staging, ".shared"), { recursive: true, force: true });
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
  for (const folder of folders) await mkdir(join(staging, ".shared", folder), { recursive: true });
  return staging;
}
