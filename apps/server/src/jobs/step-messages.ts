import type { StepNumber } from "@stipple/contract";
import type { StepParameters } from "@stipple/pipeline/engine/parameters";
import type { AnalysisSettings } from "@stipple/pipeline/settings";
import type { FailureCause } from "./step-failure.ts";
import type { AskingHelp, HelpAnswer } from "./fan-out/task-messages.ts";

/** What a step's process is asked to do. */
export interface StepOrder {
  /** "plan" finds the steps that a run from `step` on carries out; "step" runs one step. */
  task: "plan" | "step";
  step: StepNumber;
  /** Folder of the input files; those that the step opens are there once it has asked for them. */
  input: string;
  /** The project's input files by content, whether they are on the disk or not. */
  inputs: readonly { name: string; size: number; digest: string }[];
  /** Results folder; the manifests of finished steps are there, their files once the step has asked for them. */
  results: string;
  settings: AnalysisSettings;
  parameters: StepParameters;
  threads: number;
  /** For what goes to other workers and comes from them. */
  exchange: string;
  /** Seconds of work left from which on other workers are asked. */
  shareSeconds: number;
}

/** What a step must find on the disk: input files by name, published files by their paths in the results. */
export interface StepNeeds {
  inputs: readonly string[];
  files: readonly string[];
}

/** What the worker says to a step's process. */
export type ToStepProcess =
  | { kind: "order"; order: StepOrder }
  /** What the step needs is on the disk. */
  | { kind: "provided" }
  | { kind: "help"; answer: HelpAnswer }
  | { kind: "cancel" };

/**
 * How a step ended. `steps`: those that were carried out, or of a plan those that are to be. `fault` tells whose: a
 * fault of the data counts the analysis, one of ours gives it back. `cause` is missing in what an earlier version has
 * written down.
 */
export type StepOutcome =
  | { kind: "done"; steps: readonly StepNumber[] }
  | { kind: "failed"; fault: "data" | "server"; cause?: FailureCause; message: string }
  | { kind: "cancelled" };

/** What a step's process says. */
export type FromStepProcess =
  | { kind: "ready" }
  | { kind: "needs"; needs: StepNeeds }
  | { kind: "progress"; fraction: number }
  | { kind: "log"; line: string }
  | { kind: "help"; ask: AskingHelp }
  | { kind: "outcome"; outcome: StepOutcome; detail?: string };
