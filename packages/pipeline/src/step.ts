import type { StepName, StepNumber } from "@stipple/contract";
import type * as z from "zod";
import type { Field, FieldKey } from "./fields.ts";
import type { SampleFiles } from "./readers/sample-files.ts";
import type { AnalysisSettings } from "./settings.ts";
import type { ReferenceFile } from "./steps/5-cluster-analysis/reference/type-by-reference.ts";

/** What a step's `run` is given. */
export interface StepContext<P = unknown> {
  params: P;
  settings: AnalysisSettings;
  /** The input files of this run, already recognised. */
  files: SampleFiles;
  /** Labelled cells to type by, where the user has given some. */
  reference?: ReferenceFile | undefined;
  /** Worker threads a step may use. */
  threads: number;
  /** Loads a field that an earlier step wrote. */
  read<K extends FieldKey>(key: K): Promise<Field<K>>;
  /** Stores a field that this step declares in `writes`. */
  write<K extends FieldKey>(key: K, value: Field<K>): Promise<void>;
  /** Absolute path of a file in this step's own output folder, for everything that is not a field (pictures, CSV). */
  output(name: string): string;
  /** Absolute path of a file of an earlier step's folder. */
  earlier(step: StepNumber, name: string): string;
  /** Absolute path below one of the step's shared folders (see `folders`), e.g. figures/umap.png. */
  shared(path: string): string;
  /** Fraction of this step that is done, 0–1; never goes backwards. */
  progress(fraction: number): void;
  /** One line for the run's log: what was found, in words. */
  log(message: string): void;
  /** Sentences that must reach the user's report. */
  warn(message: string): void;
  signal: AbortSignal;
}

export interface StepDefinition<P = unknown> {
  number: StepNumber;
  name: StepName;
  weight: number;
  /** Raise it when the step's result changes for the same input: older results are then recomputed. */
  version: number;
  reads: readonly FieldKey[];
  writes: readonly FieldKey[];
  /** Folders at the top of the results that belong to this step (cleared and published with it). */
  folders?: readonly string[];
  params: z.ZodType<P>;
  run(context: StepContext<P>): Promise<void>;
}

/** Declares a step. A ninth step = a folder, its keys in fields.ts, one line in steps/index.ts. */
export function defineStep<P>(step: StepDefinition<P>): StepDefinition<P> {
  return step;
}
