import type { NamedFile, Places } from "@stipple/pipeline";

/**
 * A batch of a step's tasks for another worker, given by objects in the storage; the arguments of the durable workflow.
 */
export interface TaskOrder {
  runId: string;
  /** `runs.lease` of the worker that asks: the work is void once another one has the run. */
  token: number;
  /** Shared by all batches of one call; `id` tells the helper whether it already has it. */
  common: { id: string; key: string };
  inputs: string;
  /** Where the result goes. */
  result: string;
  files: readonly NamedFile[];
}

/** What a batch has cost: bytes that the helper fetched. Null when it was not done. */
export type TaskOutcome = { fetchedBytes: number } | null;

/** Requests from a step's process to its worker. Data is passed in files in the run's scratch folder. */
export type AskingHelp =
  | { kind: "who is free"; id: string }
  | {
      kind: "batch";
      id: string;
      common: { id: string; path: string };
      inputs: string;
      files: readonly NamedFile[];
    }
  /** Nobody waits for the batch anymore. */
  | { kind: "drop"; id: string };

/** What the worker answers: how many workers are free, or the path of a batch's result, null if it was not done. */
export type HelpAnswer =
  | { kind: "free"; id: string; workers: number }
  | { kind: "batch done"; id: string; path: string | null };

/** What a helping worker says to its process. */
export type ToTaskProcess =
  | {
      kind: "batch";
      id: number;
      common: { id: string; path: string };
      inputs: string;
      result: string;
      places: Places;
      threads: number;
    }
  | { kind: "stop"; id: number };

/** What that process answers; `reason`: why it was not done. */
export type FromTaskProcess = { kind: "ready" } | { kind: "ended"; id: number; reason?: string };
