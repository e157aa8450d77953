import type { NamedFile } from "./named-files.ts";

/** Tasks for another machine. */
export interface Batch {
  /** Data shared by all batches of one call; sent once. */
  common: { id: string; bytes: Uint8Array };
  /** Specific to this batch. */
  inputs: Uint8Array;
  /** Files that the machine must have, besides those of the program. */
  files: readonly NamedFile[];
}

/** Other machines that may do tasks of a step, as the step's process sees them. */
export interface Helpers {
  /** How many are free now. */
  free(): Promise<number>;
  /** Runs a batch; null if it was not done. Aborting the signal means that the result is no longer needed. */
  send(batch: Batch, signal: AbortSignal): Promise<Uint8Array | null>;
  /** When using other machines is worth it. */
  worth?: Partial<Worth>;
}

/** When using other machines is worth it: finding one and sending a batch takes about a second. */
export interface Worth {
  /** Work left here, seconds. */
  secondsLeft: number;
  /** A batch's work on one machine, seconds; short, so that losing a batch costs little. */
  batchSeconds: number;
  /** Bytes that may be sent per second of work. */
  bytesPerSecond: number;
}

export const WORTH: Worth = { secondsLeft: 4, batchSeconds: 6, bytesPerSecond: 20e6 };
