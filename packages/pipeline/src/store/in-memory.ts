import { join } from "node:path";
import { tmpdir } from "node:os";
import type { Field, FieldKey } from "../fields.ts";
import { analysisSettings, type AnalysisSettings } from "../settings.ts";
import type { StepDefinition } from "../step.ts";

/** Fields by key, as a step reads and writes them. */
export type Fields = { [K in FieldKey]?: Field<K> };

export interface InMemoryRun {
  fields: Fields;
  log: string[];
  warnings: string[];
  /** Fractions reported, in order. */
  progress: number[];
}

/**
 * Runs one step on fields held in memory, for the self-test, tests and benchmarks: checks that it reads and writes only what it
 * declares. Files that are not fields go to `folder`, the system's temporary folder by default.
 */
export async function runInMemory<P>(
  step: StepDefinition<P>,
  fields: Fields,
  options: {
    settings?: Partial<AnalysisSettings>;
    params?: Record<string, unknown>;
    folder?: string;
    signal?: AbortSignal;
  } = {},
): Promise<InMemoryRun> {
  const run: InMemoryRun = { fields: { ...fields }, log: [], warnings: [], progress: [] };
  const folder = options.folder ?? tmpdir();
  await step.run({
    params: step.params.parse(options.params ?? {}),
    settings: analysisSettings.parse(options.settings ?? {}),
    files: undefined as never,
    threads: 2,
    read(key) {
      if (!step.reads.includes(key)) throw new Error(`${key} is not declared in reads`);
      const value = run.fields[key];
      if (value === undefined) throw new Error(`${key} was not given`);
      return Promise.resolve(value as Field<typeof key>);
    },
    write(key, value) {
      if (!step.writes.includes(key)) throw new Error(`${key} is not declared in writes`);
      (run.fields as Record<string, unknown>)[key] = value;
      return Promise.resolve();
    },
    output: (name) => join(folder, name),
    earlier: (_, name) => join(folder, name),
    shared: (path) => join(folder, path),
    progress: (fraction) => run.progress.push(fraction),
    log: (message) => run.log.push(message),
    warn: (message) => run.warnings.push(message),
    signal: options.signal ?? new AbortController().signal,
  });
  return run;
}
