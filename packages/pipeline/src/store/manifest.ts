import { readFileSync } from "node:fs";
import { join } from "node:path";
import { STEP_NUMBERS, stepFolder, type StepNumber } from "@stipple/contract";

/** A published file: path relative to the results folder with "/", hex SHA-256. */
export interface PublishedFile {
  path: string;
  size: number;
  sha256: string;
}

/** Record that a finished step stores in addition to its files. */
export interface StepManifest {
  step: StepNumber;
  name: string;
  version: number;
  /** Hash over everything that the result depends on (engine/result-key.ts). */
  key: string;
  params: unknown;
  /** The values of the settings that the step declares. */
  settings: Record<string, unknown>;
  seconds: number;
  warnings: string[];
  /** Field key → hash of its content, for the fields that the step wrote. */
  fields: Record<string, string>;
  /** Everything that the step published, by path, except the manifest itself. */
  files: PublishedFile[];
}

export const MANIFEST = "step.json";

/** The manifest of a finished step, or null if the step is not done. */
export function readManifest(results: string, step: StepNumber): StepManifest | null {
  try {
    return JSON.parse(readFileSync(join(results, stepFolder(step), MANIFEST), "utf8"));
  } catch {
    return null;
  }
}

/** The manifests of all steps, by number. */
export function readManifests(results: string): (StepManifest | null)[] {
  return STEP_NUMBERS.map((step) => readManifest(results, step));
}
