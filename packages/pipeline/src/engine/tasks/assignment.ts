import type { NamedFile } from "./named-files.ts";

/** What all batches of one call share. */
export interface Assignment {
  /** Of the requesting machine: a different kind refuses. */
  machine: string;
  step: number;
  /** Of the step on the requesting machine. */
  version: number;
  task: string;
  files: Readonly<Record<string, NamedFile>>;
  shared: unknown;
}
