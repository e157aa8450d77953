import { createHash } from "node:crypto";
import type { AnalysisOptions, RunChoices } from "@stipple/contract";
import type { InputFile } from "../outputs/input-reads.ts";
import type { Scratch } from "../outputs/scratch.ts";
import { runSettings } from "../projects/run-settings.ts";
import type { FileChecker } from "./file-checker.ts";
import { Remembered } from "./remembered.ts";

/** From a bucket, larger files are not fetched just to check them. */
const MAX_COPY_BYTES = 500e6;

/**
 * Why a project's complete files cannot be analyzed together, in one sentence; null if nothing speaks against it.
 * Checked in another process, once for the same files and options.
 */
export type SampleFault = (
  project: { name: string; options: AnalysisOptions },
  choices: RunChoices,
  inputs: readonly InputFile[],
) => Promise<string | null>;

export function openSampleFault(parts: {
  checker: FileChecker;
  scratch: Scratch;
  isLocal: boolean;
}): SampleFault {
  const { checker, scratch, isLocal } = parts;
  const checks = new Remembered<Promise<string | null>>(500);
  return async (project, choices, inputs) => {
    if (inputs.length === 0) return null;
    const settings = runSettings({ ...project, choices }, inputs);
    const known = createHash("sha256")
      .update(JSON.stringify([inputs.map(({ slot, digest }) => [slot, digest]), settings]))
      .digest("hex");
    const before = checks.get(known);
    if (before) return before;
    const check = checker.faultOf({
      files: inputs.map(({ name, storageKey, size }) => ({ name, key: storageKey, size })),
      settings,
      scratch: scratch.folder,
      largestCopy: isLocal ? Number.MAX_SAFE_INTEGER : MAX_COPY_BYTES,
    });
    // A check that failed says nothing about the files.
    check.catch(() => checks.delete(known));
    checks.set(known, check);
    return check;
  };
}
