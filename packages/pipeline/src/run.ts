import { createHash } from "node:crypto";
import { stat, writeFile, mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LAST_STEP, stepFolder, type StepNumber } from "@stipple/contract";
import { CancelledError, InputError, isDiskFull, throwIfCancelled } from "./errors.ts";
import { FIELDS, type FieldKey } from "./fields.ts";
import { findSampleFiles } from "./readers/find-sample-files.ts";
import { samplePaths, type SampleFiles } from "./readers/sample-files.ts";
import { analysisSettings, type AnalysisSettings } from "./settings.ts";
import type { StepContext, StepDefinition } from "./step.ts";
import type { ReferenceFile } from "./steps/5-cluster-analysis/reference/type-by-reference.ts";
import { steps } from "./steps/index.ts";
import { writeField } from "./store/field-store.ts";
import {
  clearStep,
  MANIFEST,
  openStaging,
  publishStep,
  readManifest,
  readResult,
  type StepManifest,
} from "./store/results-folder.ts";

/** What a run tells whoever watches it. */
export interface RunListener {
  stepStarted?(step: StepNumber): void;
  /** Fraction of the step that is done, 0–1, non-decreasing. */
  stepProgress?(step: StepNumber, fraction: number): void;
  stepFinished?(step: StepNumber, seconds: number): void;
  log?(line: string): void;
}

export interface RunRequest {
  /** Space Ranger `outs` folder, or a flat folder of its files. */
  input: string;
  /** Full-resolution image, when it does not lie in `input`. */
  image?: string | undefined;
  /** Labelled cells (h5ad) to type by; else reference.h5ad in `input`, where there is one. */
  reference?: ReferenceFile | undefined;
  /** Results folder; finished steps found there are used again when they still fit. */
  results: string;
  settings: AnalysisSettings;
  threads: number;
  signal: AbortSignal;
  listener?: RunListener;
}

/** Prepares a run: recognises the input and checks the settings. Throws {@link InputError}. */
async function openRun(request: RunRequest): Promise<SampleFiles> {
  await mkdir(request.results, { recursive: true });
  return findSampleFiles(request.input, {
    image: request.image,
    platform: request.settings.platform,
    resolution: request.settings.resolution,
  });
}

/** The reference given, else the one that lies with the input. Throws {@link InputError} for one that is not there. */
async function referenceOf(request: RunRequest): Promise<ReferenceFile | undefined> {
  const beside = { file: join(request.input, "reference.h5ad") };
  const chosen = request.reference ?? beside;
  if ((await stat(chosen.file).catch(() => null))?.isFile()) return chosen;
  if (!request.reference) return undefined;
  throw new InputError(`The reference ${basename(chosen.file)} does not exist: check its path.`);
}

/** Species and tissue matter from here on: another choice of them must not cost the steps before. */
const TYPING_STEP = 5;

/**
 * Identity of a step's result: equal keys mean that the stored output can be used again.
 * Inputs enter by path, size and modification time, so that a replaced file invalidates and 7 GB need no hashing.
 */
async function stepKeyOf(
  step: StepDefinition,
  params: unknown,
  request: RunRequest,
  files: SampleFiles,
): Promise<string> {
  const hash = createHash("sha256");
  // What a step does not look at must not make it run again.
  const { species, tissue, sampleName, ...common } = request.settings;
  const typing = step.number < TYPING_STEP ? common : { ...common, species, tissue };
  const settings = step.number < LAST_STEP ? typing : { ...typing, sampleName };
  const reference = step.number === TYPING_STEP ? await referenceOf(request) : undefined;
  if (reference) {
    const { size, mtimeMs } = await stat(reference.file);
    hash.update(JSON.stringify([reference, size, mtimeMs]));
  }
  hash.update(JSON.stringify([step.number, step.version, params, settings]));
  if (step.number === 0) {
    for (const path of samplePaths(files)) {
      const { size, mtimeMs } = await stat(path);
      hash.update(JSON.stringify([path, size, mtimeMs]));
    }
  } else {
    hash.update(readManifest(request.results, (step.number - 1) as StepNumber)?.key ?? "");
  }
  return hash.digest("hex");
}

/** Whether a step's stored output was made from the same inputs, parameters and version. */
export async function isCurrent(stepNumber: StepNumber, request: RunRequest): Promise<boolean> {
  const step = steps[stepNumber];
  const manifest = readManifest(request.results, stepNumber);
  if (!manifest) return false;
  return (
    manifest.key === (await stepKeyOf(step, step.params.parse({}), request, await openRun(request)))
  );
}

/**
 * Runs one step, replacing its former output. The output appears all at once when the step has succeeded;
 * a crash, a cancellation or a full disk leaves the earlier steps as they were.
 * Throws {@link InputError} for a fault of the input and {@link CancelledError} when `signal` is aborted.
 */
export async function runStep(stepNumber: StepNumber, request: RunRequest): Promise<void> {
  const step = steps[stepNumber];
  const { results, signal, listener } = request;
  throwIfCancelled(signal);
  const started = performance.now();
  listener?.stepStarted?.(stepNumber);
  const files = await openRun(request);
  const params = step.params.parse({});
  const key = await stepKeyOf(step, params, request, files);
  await clearStep(results, stepNumber, step.folders);
  const staging = await openStaging(results, stepNumber, step.folders);
  const warnings: string[] = [];
  let reached = 0;
  const context: StepContext = {
    params,
    settings: analysisSettings.parse(request.settings),
    files,
    reference: await referenceOf(request),
    threads: request.threads,
    signal,
    read: (field) => {
      assertDeclared(step.reads, field, step);
      return readResult(results, field);
    },
    write: (field, value) => {
      assertDeclared(step.writes, field, step);
      return writeField(staging, field, value);
    },
    output: (name) => join(staging, name),
    earlier: (earlier, name) => join(results, stepFolder(earlier), name),
    shared: (path) => join(staging, ".shared", path),
    progress: (fraction) => {
      if (fraction <= reached) return;
      reached = Math.min(1, fraction);
      listener?.stepProgress?.(stepNumber, reached);
    },
    log: (message) => listener?.log?.(message),
    warn: (message) => {
      warnings.push(message);
      listener?.log?.(`Warning: ${message}`);
    },
  };
  try {
    await step.run(context);
    throwIfCancelled(signal);
    const seconds = (performance.now() - started) / 1000;
    const manifest: StepManifest = {
      step: stepNumber,
      name: step.name,
      version: step.version,
      key,
      params,
      seconds,
      warnings,
    };
    await writeFile(join(staging, MANIFEST), JSON.stringify(manifest, null, 2));
    await publishStep(results, stepNumber, step.folders);
    listener?.stepProgress?.(stepNumber, 1);
    listener?.stepFinished?.(stepNumber, seconds);
  } catch (error) {
    await clearStep(results, stepNumber, step.folders);
    if (signal.aborted) throw new CancelledError();
    if (isDiskFull(error)) {
      throw new InputError(
        `The disk that holds ${dirname(results)} is full: free some space and resume from step ${stepNumber} (${step.name}); the finished steps are kept.`,
        { cause: error },
      );
    }
    throw error;
  }
}

function assertDeclared(
  declared: readonly FieldKey[],
  field: FieldKey,
  step: StepDefinition,
): void {
  if (!declared.includes(field)) {
    throw new Error(`Step ${step.number} (${step.name}) does not declare the field ${field}`);
  }
  if (!(field in FIELDS)) throw new Error(`Unknown field ${field}`);
}

/**
 * The step a run really starts from: the requested one, or the first earlier step whose output is missing or
 * was made from other inputs, parameters or an older version.
 */
export async function firstStepToRun(
  requested: StepNumber,
  request: RunRequest,
): Promise<StepNumber> {
  for (let number = 0; number < requested; number++) {
    if (!(await isCurrent(number as StepNumber, request))) return number as StepNumber;
  }
  return requested;
}

/** Removes the outputs of `from` and every later step. */
export async function clearFrom(results: string, from: StepNumber): Promise<void> {
  for (const step of [...steps].reverse()) {
    if (step.number >= from) await clearStep(results, step.number, step.folders);
  }
}

/** Runs every step from `startStep` on, in order. */
export async function runAnalysis(request: RunRequest, startStep: StepNumber = 0): Promise<void> {
  const from = await firstStepToRun(startStep, request);
  await clearFrom(request.results, from);
  for (const step of steps) {
    if (step.number >= from) await runStep(step.number, request);
  }
}
