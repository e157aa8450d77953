import { STEPS, type StepId, type StepName, type StepNumber } from "@stipple/contract";
import type * as z from "zod";
import type { Tasks } from "@stipple/tasks/task";
import type { Field, FieldKey, StoredKey } from "./fields.ts";
import type { Read, ReadKey } from "./views.ts";
import type { InputName, SampleFiles } from "./readers/sample-files.ts";
import type { AnalysisSettings, SettingName } from "./settings.ts";
import type { StepManifest } from "./store/manifest.ts";
import type { ReadOptions } from "@stipple/formats/npy";

/** Arguments of a step's `run`. Accessing anything the step does not declare throws. */
export interface StepContext<P = unknown> {
  params: P;
  /** The settings that the step declares. */
  settings: AnalysisSettings;
  /** The input files that the step declares, already recognized. */
  files: SampleFiles;
  /** How the steps before this one ended, in order; for steps that declare `history`. */
  history: readonly StepManifest[];
  /** Worker threads a step may use. */
  threads: number;
  /** Worker threads for pieces of the work. */
  tasks: Tasks;
  /** Loads a field that an earlier step wrote. Throws where that step has not written it. */
  read<K extends ReadKey>(key: K, options?: ReadOptions): Promise<Read<K>>;
  /** `read`, or null for a field that is written for certain samples or settings only. */
  readIfAny<K extends ReadKey>(key: K): Promise<Read<K> | null>;
  /** Tells that a field is not needed any more: gigabytes on a large slide, free at once. It must not be looked at again. */
  giveBack(field: object): void;
  /** Stores a field that this step declares in `writes`. */
  write<K extends StoredKey>(key: K, value: Field<K>): Promise<void>;
  /** Absolute path of a file in this step's own output folder, for everything that is not an array (pictures, CSV). */
  output(name: string): string;
  /** Absolute path below one of the step's shared folders (see `folders`), e.g. figures/umap.png. */
  shared(path: string): string;
  /** Fraction of this step that is done, 0–1; never goes backward. */
  progress(fraction: number): void;
  /** One line for the run's log: what was found, in words. */
  log(message: string): void;
  /** Sentences that must reach the user's report. */
  warn(message: string): void;
  signal: AbortSignal;
}

/** What is to be said of a step: all that its result depends on, and the work itself. */
export interface StepDescription<P = unknown> {
  id: StepId;
  /** Raise it when the step's result changes for the same input: older results are then recomputed. */
  version: number;
  /** Settings that the step looks at; others cannot make it run again. */
  settings: readonly SettingName[];
  /** Input files that the step opens; only these are fetched to the machine that runs it. */
  inputs: readonly InputName[];
  reads: readonly ReadKey[];
  writes: readonly FieldKey[];
  /** Whether the step tells how those before it ended (versions, seconds, warnings). */
  history?: boolean;
  /** Folders at the top of the results that belong to this step (cleared and published with it). */
  folders?: readonly string[];
  /**
   * Called before the first step of a run that includes this one, so that hours are not spent before a fault of a file
   * that only this step reads. Throws {@link InputError}.
   */
  check?:
    ((context: Pick<StepContext<P>, "files" | "settings" | "signal">) => Promise<void>) | null;
  /** Parameters with defaults, each with a `describe`d meaning: `--set <id>.<name>=<value>`, the API and the page give them. */
  params: z.ZodObject & z.ZodType<P>;
  run(context: StepContext<P>): Promise<void>;
}

export interface StepDefinition<P = unknown> extends Required<StepDescription<P>> {
  number: StepNumber;
  name: StepName;
  weight: number;
}

/**
 * Declares a step. Number, name and weight come from the contract's list of steps: a ninth step is a line there, a
 * folder `<number>-<id>` with a `step.ts` that exports `step`, and its fields in fields.ts.
 */
export function defineStep<P>(description: StepDescription<P>): StepDefinition<P> {
  const listed = STEPS.find(({ id }) => id === description.id)!;
  return { history: false, folders: [], check: null, ...description, ...listed };
}
