import type { NamedFile } from "./named-files.ts";

/** What all batches of one call share. */
export interface Assignment {
  /** Of the machine that asks: another kind refuses. */
  machine: string;
  step: number;
  /** Of the step, as the machine that asks has it. */
  version: number;
  task: string;
  files: Readonly<Record<string, NamedFile>>;
  shared: unknown;
}
