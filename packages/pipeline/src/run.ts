import { mkdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { StepNumber } from "@stipple/contract";
import { checkParameters, parametersOf, type StepParameters } from "./engine/parameters.ts";
import { planSteps, resultKey, type InputDigests, type RunIdentity } from "./engine/result-key.ts";
import { arraysOf } from "@stipple/tasks/arrays";
import { openTasks } from "@stipple/tasks/open-tasks";
import { CancelledError, InputError, isDiskFull, throwIfCancelled } from "./errors.ts";
import { RuntimeMissingError } from "@stipple/numerics/onnx-session";
import { release } from "@stipple/numerics/release";
import { findSampleFiles } from "./readers/find-sample-files.ts";
import type { ListedFile } from "./readers/folder.ts";
import {
  ADDED_INPUTS,
  onlyInputs,
  type AddedFiles,
  type SampleFiles,
} from "./readers/sample-files.ts";
import { analysisSettings, onlySettings, type AnalysisSettings } from "./settings.ts";
import type { StepContext, StepDefinition } from "./step.ts";
import type { ReadKey } from "./views.ts";
import { writeField } from "./store/field-store.ts";
import { digestInputs } from "./store/input-digests.ts";
import { readManifests, type StepManifest } from "./store/manifest.ts";
import { writeManifest } from "./store/published-files.ts";
import {
  assertReplaceable,
  clearStep,
  openStaging,
  publishStep,
  readResult,
  readResultIfAny,
  SHARED,
} from "./store/results-folder.ts";

/** What a run reports to its observer. */
export interface RunListener {
  stepStarted?(step: StepNumber): void;
  /** Fraction of the step that is done, 0–1, non-decreasing. */
  stepProgress?(step: StepNumber, fraction: number): void;
  stepFinished?(step: StepNumber, seconds: number): void;
  log?(line: string): void;
}

/** The labeled cells to type by may also be reference.h5ad in `input`. */
export interface RunRequest extends AddedFiles {
  /** Space Ranger `outs` folder, or a flat folder of its files. */
  input: string;
  /** Full-resolution image, if it is not in `input`. */
  image?: string | undefined;
  /** Counts of the finest bins (H5), if they are not in `input`. */
  fineBins?: string | undefined;
  /** Results folder; finished steps found there are reused if still valid. */
  results: string;
  settings: AnalysisSettings;
  /** Parameters of steps that differ from their defaults. */
  parameters?: StepParameters | undefined;
  /**
   * Content of `input`, if already known: files and digests of their content. Then only the inputs
   * that a step declares need to be on the disk when it runs.
   */
  known?: { files: readonly ListedFile[]; digests: InputDigests } | undefined;
  threads: number;
  signal: AbortSignal;
  listener?: RunListener;
}

/** Running, planning and clearing, bound to a list of steps. */
export interface Analysis {
  /**
   * The steps that a run begun at `requested` carries out, or, if that is null, those without up-to-date results: see
   * `planSteps`. Throws {@link InputError} for files or
   * parameters that cannot be used.
   */
  plan(requested: StepNumber | null, request: RunRequest): Promise<StepNumber[]>;
  /**
   * Has the planned steps look at their files before the first of them starts. Needs only the inputs of steps that have
   * a `check`. Throws {@link InputError} for a file that one of them could not use.
   */
  check(planned: readonly StepNumber[], request: RunRequest): Promise<void>;
  /**
   * Runs one step, replacing its former output. The output appears all at once when the step has succeeded;
   * a crash, a cancellation or a full disk leaves the earlier steps as they were.
   * Throws {@link InputError} for a fault of the input and {@link CancelledError} when `signal` is aborted.
   */
  runStep(step: StepNumber, request: RunRequest): Promise<void>;
  /** Removes the outputs of steps. */
  clear(results: string, numbers: readonly StepNumber[]): Promise<void>;
  /** Plans and runs. */
  run(request: RunRequest, startStep?: StepNumber): Promise<void>;
}

/** Binds a list of steps to the code that runs an analysis. */
export function openAnalysis(steps: readonly StepDefinition[]): Analysis {
  const analysis: Analysis = {
    async plan(requested, request) {
      // With known input, the folder is a worker's own.
      if (!request.known) {
        assertReplaceable(
          request.results,
          steps.flatMap(({ folders }) => folders),
        );
      }
      const files = await recognize(request);
      return planSteps(steps, requested, await identityOf(request, files));
    },
    async clear(results, numbers) {
      for (const number of numbers.toSorted((a, b) => b - a)) {
        await clearStep(results, number, steps[number].folders);
      }
    },
    async check(planned, request) {
      const files = await recognize(request);
      const settings = analysisSettings.parse(request.settings);
      for (const { check, inputs, settings: names } of planned.map((number) => steps[number])) {
        await check?.({
          files: onlyInputs(files, inputs),
          settings: onlySettings(settings, names),
          signal: request.signal,
        });
      }
    },
    runStep: (number, request) => runStep(steps[number], request),
    async run(request, startStep = steps[0].number) {
      checkParameters(steps, request.parameters ?? {});
      const plan = await analysis.plan(startStep, request);
      await analysis.check(plan, request);
      await analysis.clear(request.results, plan);
      for (const number of plan) await analysis.runStep(number, request);
    },
  };
  return analysis;
}

/** Finds the input's files. Throws {@link InputError}. */
async function recognize(request: RunRequest): Promise<SampleFiles> {
  await mkdir(request.results, { recursive: true });
  const files = await findSampleFiles(request.input, {
    image: request.image,
    fineBins: request.fineBins,
    platform: request.settings.platform,
    resolution: request.settings.resolution,
    listing: request.known?.files,
  });
  const added: AddedFiles = {};
  for (const name of ADDED_INPUTS) {
    const path = request[name];
    if (!path) continue;
    // Known files are on the disk only for the steps that read them.
    if (!request.known && !(await stat(path).catch(() => null))?.isFile()) {
      throw new InputError(`The file ${basename(path)} does not exist: check its path.`);
    }
    added[name] = path;
  }
  return { ...files, ...added };
}

async function identityOf(
  request: RunRequest,
  files: SampleFiles,
): Promise<Omit<RunIdentity, "manifests"> & { manifests: readonly (StepManifest | null)[] }> {
  return {
    settings: request.settings,
    parameters: request.parameters,
    inputs: request.known?.digests ?? (await digestInputs(files, request.results, request.signal)),
    manifests: readManifests(request.results),
  };
}

async function runStep(step: StepDefinition, request: RunRequest): Promise<void> {
  const { results, signal, listener } = request;
  throwIfCancelled(signal);
  const started = performance.now();
  listener?.stepStarted?.(step.number);
  const files = await recognize(request);
  const identity = await identityOf(request, files);
  const settings = onlySettings(analysisSettings.parse(request.settings), step.settings);
  const params = parametersOf(step, request.parameters);
  const key = resultKey(step, identity);
  await clearStep(results, step.number, step.folders);
  const staging = await openStaging(results, step.number, step.folders);
  const warnings: string[] = [];
  let reached = 0;
  await using tasks = openTasks({ threads: request.threads });
  const context: StepContext = {
    params,
    settings,
    files: onlyInputs(files, step.inputs),
    history: step.history
      ? identity.manifests.slice(0, step.number).filter((manifest) => manifest !== null)
      : [],
    threads: request.threads,
    tasks,
    signal,
    read: (field, options) => {
      assertDeclared(step.reads, field, step);
      return readResult(results, field, options);
    },
    readIfAny: async (field) => {
      assertDeclared(step.reads, field, step);
      return readResultIfAny(results, field);
    },
    giveBack: (field) => arraysOf(field).forEach(release),
    write: (field, value) => {
      assertDeclared(step.writes, field, step);
      return writeField(staging, field, value);
    },
    output: (name) => join(staging, name),
    shared: (path) => join(staging, SHARED, path),
    progress: (fraction) => {
      if (fraction <= reached) return;
      reached = Math.min(1, fraction);
      listener?.stepProgress?.(step.number, reached);
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
    const told = { key, params, settings: { ...settings }, warnings };
    const { seconds } = await writeManifest(
      staging,
      step,
      { ...told, seconds: () => (performance.now() - started) / 1000 },
      signal,
    );
    await publishStep(results, step.number, step.folders);
    listener?.stepProgress?.(step.number, 1);
    listener?.stepFinished?.(step.number, seconds);
  } catch (error) {
    await clearStep(results, step.number, step.folders);
    if (signal.aborted) throw new CancelledError();
    if (error instanceof RuntimeMissingError) throw new InputError(error.message, { cause: error });
    if (isDiskFull(error)) {
      throw new InputError(
        `The disk with ${dirname(results)} is full: free some space and resume from step ${step.number} (${step.name}); finished steps are kept.`,
        { cause: error },
      );
    }
    throw error;
  }
}

function assertDeclared(declared: readonly ReadKey[], field: ReadKey, step: StepDefinition): void {
  if (!declared.includes(field)) {
    throw new Error(`Step ${step.number} (${step.name}) does not declare the field ${field}`);
  }
}
