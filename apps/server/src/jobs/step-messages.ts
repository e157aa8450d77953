import type { StepNumber } from "@stipple/contract";
import type { StepParameters } from "@stipple/pipeline/engine/parameters";
import type { AnalysisSettings } from "@stipple/pipeline/settings";

/** What a step's process is asked to do. */
export interface StepOrder {
  /** "plan" finds the step to start from and clears what the run replaces; "step" runs one step. */
  task: "plan" | "step";
  step: StepNumber;
  input: string;
  results: string;
  settings: AnalysisSettings;
  parameters: StepParameters;
  threads: number;
}

/** What the worker says to a step's process. */
export type ToStepProcess = { kind: "order"; order: StepOrder } | { kind: "cancel" };

/** How a step ended. `fault` tells whose: a fault of the data counts the analysis, one of ours gives it back. */
export type StepOutcome =
  | { kind: "done"; firstStep: StepNumber }
  | { kind: "failed"; fault: "data" | "server"; message: string }
  | { kind: "cancelled" };

/** What a step's process says. */
export type FromStepProcess =
  | { kind: "ready" }
  | { kind: "progress"; fraction: number }
  | { kind: "log"; line: string }
  | { kind: "outcome"; outcome: StepOutcome; detail?: string };
