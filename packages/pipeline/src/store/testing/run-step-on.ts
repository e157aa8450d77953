import { join } from "node:path";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { SampleFiles } from "../../readers/sample-files.ts";
import { analysisSettings, onlySettings, type AnalysisSettings } from "../../settings.ts";
import type { StepContext, StepDefinition } from "../../step.ts";
import { writeField } from "../field-store.ts";
import { readManifests } from "../manifest.ts";
import { writeManifest } from "../published-files.ts";
import { hasResult, openStaging, publishStep, readResult, SHARED } from "../results-folder.ts";

/** Runs one step on a results folder as in a real run, with the given files instead of detected ones. */
export async function runStepOn<P>(
  step: StepDefinition<P>,
  results: string,
  files: SampleFiles,
  options: {
    params?: Partial<P>;
    settings?: Partial<AnalysisSettings>;
    signal?: AbortSignal;
  } = {},
): Promise<{ log: string[]; warnings: string[]; fractions: number[] }> {
  const staging = await openStaging(results, step.number, step.folders);
  const log: string[] = [];
  const warnings: string[] = [];
  const fractions: number[] = [];
  const params = step.params.parse(options.params ?? {});
  await using tasks = openTasks({ threads: 1 });
  const context: StepContext<P> = {
    params,
    settings: onlySettings(analysisSettings.parse(options.settings ?? {}), step.settings),
    files,
    history: readManifests(results).filter((manifest) => manifest !== null),
    threads: 1,
    tasks,
    read: (key) => {
      if (!step.reads.includes(key)) throw new Error(`${key} is not declared`);
      return readResult(results, key);
    },
    readIfAny: async (key) => {
      if (!step.reads.includes(key)) throw new Error(`${key} is not declared`);
      return hasResult(results, key) ? readResult(results, key) : null;
    },
    write: (key, value) => {
      if (!step.writes.includes(key)) throw new Error(`${key} is not declared`);
      return writeField(staging, key, value);
    },
    output: (name) => join(staging, name),
    giveBack: () => undefined,
    shared: (path) => join(staging, SHARED, path),
    progress: (fraction) => fractions.push(fraction),
    log: (message) => log.push(message),
    warn: (message) => warnings.push(message),
    signal: options.signal ?? new AbortController().signal,
  };
  await step.run(context);
  await writeManifest(staging, step, {
    key: `key${step.number}`,
    params,
    settings: {},
    seconds: () => 1,
    warnings,
  });
  await publishStep(results, step.number, step.folders);
  return { log, warnings, fractions };
}
