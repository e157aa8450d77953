import { join } from "node:path";
import { tmpdir } from "node:os";
import { openTasks } from "@stipple/tasks/open-tasks";
import { FIELDS, type FieldKey } from "../fields.ts";
import { viewOf, type Read, type ReadKey } from "../views.ts";
import { evidenceKeys } from "../model/evidence.ts";
import { ratesFrom, type HeldRates } from "../model/rates.ts";
import { analysisSettings, onlySettings, type AnalysisSettings } from "../settings.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import type { StepDefinition } from "../step.ts";
import { rowSums } from "@stipple/numerics/sparse";
import { rowsOf } from "@stipple/numerics/sparse-rows";

/** Fields by key, as a step reads and writes them. */
export type Fields = { [K in ReadKey]?: Read<K> };

export interface InMemoryRun {
  fields: Fields;
  log: string[];
  warnings: string[];
  /** Reported fractions, in order. */
  progress: number[];
}

/**
 * Runs one step on fields held in memory, for the self-test, tests, and benchmarks: checks that it reads and
 * writes only what it declares. Files that are not fields go to `folder`, by default the system's temporary
 * folder.
 */
export async function runInMemory<P>(
  step: StepDefinition<P>,
  fields: Fields,
  options: {
    settings?: Partial<AnalysisSettings>;
    params?: Record<string, unknown>;
    folder?: string;
    /** Input files that the step opens. */
    files?: Partial<SampleFiles>;
    signal?: AbortSignal;
    /** Called with each reported fraction. */
    progress?: (fraction: number) => void;
  } = {},
): Promise<InMemoryRun> {
  const run: InMemoryRun = { fields: { ...fields }, log: [], warnings: [], progress: [] };
  const folder = options.folder ?? tmpdir();
  await using tasks = openTasks({ threads: 2 });
  await step.run({
    params: step.params.parse(options.params ?? {}),
    settings: onlySettings(analysisSettings.parse(options.settings ?? {}), step.settings),
    files: { ...options.files } as SampleFiles,
    threads: 2,
    tasks,
    read(key) {
      if (!step.reads.includes(key)) throw new Error(`${key} is not declared in reads`);
      const value = valueOf(run.fields, key);
      if (value === undefined) throw new Error(`${key} was not given`);
      return Promise.resolve(value as Read<typeof key>);
    },
    readIfAny(key) {
      if (!step.reads.includes(key)) throw new Error(`${key} is not declared in reads`);
      return Promise.resolve((valueOf(run.fields, key) ?? null) as Read<typeof key> | null);
    },
    // The caller may still use the fields.
    giveBack: () => undefined,
    write(key, value) {
      if (!step.writes.includes(key)) throw new Error(`${key} is not declared in writes`);
      (run.fields as Record<string, unknown>)[key] = value;
      return Promise.resolve();
    },
    output: (name) => join(folder, name),
    history: [],
    shared: (path) => join(folder, path),
    progress: (fraction) => {
      run.progress.push(fraction);
      options.progress?.(fraction);
    },
    log: (message) => run.log.push(message),
    warn: (message) => run.warnings.push(message),
    signal: options.signal ?? new AbortController().signal,
  });
  return run;
}

/**
 * A field that was given or written; the rates view is built from its parts, and an unwritten list of files is
 * empty.
 */
function valueOf(fields: Fields, key: ReadKey): unknown {
  if (fields[key] !== undefined) return fields[key];
  if (key === "cells/rate") return ratesOfFields(fields);
  return !viewOf(key) && FIELDS[key as FieldKey].kind === "files" ? [] : undefined;
}

/** Rates from step 4's fields held in memory; throws if one is missing. */
export function ratesOfFields(fields: Fields): HeldRates {
  const get = <K extends keyof Fields>(key: K): NonNullable<Fields[K]> => {
    const value = fields[key];
    if (value === undefined) throw new Error(`${key} was not given`);
    return value as NonNullable<Fields[K]>;
  };
  const evidence = evidenceKeys((key) => fields[key] !== undefined);
  return ratesFrom(
    {
      membership: get("cells/membership"),
      profile: get("genes/profile"),
      source: get("genes/rate_source"),
      shape: get("genes/rate_shape"),
      ownBins: get("sample/scale").spotShape === "square",
      exposure: get(evidence.exposure),
      nearSpot: get(evidence.nearSpot),
      nearWeight: get(evidence.nearWeight),
      spotTotals: rowSums(get(evidence.spotCounts)),
      spotCounts: rowsOf(get(evidence.spotCounts)),
      geneCounts: rowsOf(get(evidence.geneCounts)),
    },
    evidence,
  );
}
