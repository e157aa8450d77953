import type { NamedFile } from "./named-files.ts";

/** Data shared by all batches of one call. */
export interface Assignment {
  /** Kind of the requesting machine: a machine of another kind refuses. */
  machine: string;
  step: number;
  /** Version of the step on the requesting machine. */
  version: number;
  task: string;
  files: Readonly<Record<string, NamedFile>>;
  shared: unknown;
}
