import type { StudyComparison } from "@stipple/contract/routes/studies";

/** A sample for the thread: where its files are, and what they are known by. */
export interface OrderedSample {
  name: string;
  folder: string;
  /** Equal for equal results. */
  content: string;
  condition: string;
  patient: string;
  batch: string;
}

export interface Order {
  samples: OrderedSample[];
  groups: [string, string] | null;
}

/** What a comparison found, or why there is none. */
export type KeptFinding = { refusal: string } | { comparison: StudyComparison };

/** With its files by name, gzipped. */
export type Finding = KeptFinding & { files: ReadonlyMap<string, Uint8Array> };

export type Reply = Finding | { failed: string };
