import type { NamedFile } from "./named-files.ts";

/** Tasks for another machine. */
export interface Batch {
  /** What all batches of one call share: sent once. */
  common: { id: string; bytes: Uint8Array };
  /** What is this batch's own. */
  inputs: Uint8Array;
  /** Files that the machine must have; those of the program it has. */
  files: readonly NamedFile[];
}

/** Other machines that may do tasks of a step, as the step's process sees them. */
export interface Helpers {
  /** How many are free now. */
  free(): Promise<number>;
  /** Has a batch done; null where it was not done. The signal's abort means that nobody waits for it any more. */
  send(batch: Batch, signal: AbortSignal): Promise<Uint8Array | null>;
  /** When other machines are worth it. */
  worth?: Partial<Worth>;
}

/** When other machines are worth it: finding one and sending a batch takes about a second. */
export interface Worth {
  /** Work left here, seconds. */
  secondsLeft: number;
  /** A batch's work on one machine, seconds: little is lost when one is. */
  batchSeconds: number;
  /** Bytes that a second of work may cost. */
  bytesPerSecond: number;
}

export const WORTH: Worth = { secondsLeft: 4, batchSeconds: 6, bytesPerSecond: 20e6 };
