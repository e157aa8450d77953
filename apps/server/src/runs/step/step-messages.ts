import type { StepNumber } from "@stipple/contract";
import type { StepParameters } from "@stipple/pipeline/parameters";
import type { AnalysisSettings } from "@stipple/pipeline/settings";
import type { StepNeeds } from "./step-needs.ts";

/**
 * Why a run failed, as named in metrics and logs: faulty data; the server's limits; whatever ended the step's process;
 * the storage; anything else.
 */
type FailureCause =
  "data" | "memory" | "time" | "killed" | "crashed" | "disk_full" | "storage" | "unexpected";

/** What a step's process is asked to do. */
export interface StepOrder {
  /** "plan" determines the steps that a run starting at `step` carries out; "step" runs one step. */
  task: "plan" | "step";
  step: StepNumber;
  /** Folder of the input files; those that the step opens are there once it has asked for them. */
  input: string;
  /** The project's input files by content, whether they are on the disk or not. */
  inputs: readonly { slot: string; name: string; size: number; digest: string }[];
  /** Results folder; the manifests of finished steps are there, their files once the step has asked for them. */
  results: string;
  settings: AnalysisSettings;
  parameters: StepParameters;
  threads: number;
}

/** What the worker says to a step's process. */
export type ToStepProcess =
  | { kind: "order"; order: StepOrder }
  /** What the step needs is on the disk. */
  | { kind: "provided" }
  | { kind: "cancel" };

/**
 * How a step ended. `steps`: those that were carried out or, for a plan, those to carry out. `fault`: whose fault it
 * was; if the data's, the analysis counts; if ours, it does not.
 */
export type StepOutcome =
  | { kind: "done"; steps: readonly StepNumber[] }
  | { kind: "failed"; fault: "data" | "server"; cause: FailureCause; message: string }
  | { kind: "cancelled" };

/** What a step's process says. */
export type FromStepProcess =
  | { kind: "ready" }
  | { kind: "needs"; needs: StepNeeds }
  | { kind: "progress"; fraction: number }
  | { kind: "log"; line: string }
  | { kind: "outcome"; outcome: StepOutcome; detail?: string };
