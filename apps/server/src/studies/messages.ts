import type { StudyComparison, StudySpaceAnswer } from "@stipple/contract/routes/studies";
import type { SpaceKind } from "@stipple/pipeline/study";

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

export interface CompareOrder {
  samples: OrderedSample[];
  groups: [string, string] | null;
}

export interface SpaceOrder {
  samples: OrderedSample[];
  kind: SpaceKind;
  /** Folder for files that are written meanwhile. */
  scratch: string;
}

/** Name of the points that a page draws, among the files of a joint space. */
export const SPACE_POINTS = "points";

/** What was found, or why there is nothing. */
export type KeptFinding =
  { refusal: string } | { comparison: StudyComparison } | { space: StudySpaceAnswer };

/** With its files by name, gzipped. */
export type Finding = KeptFinding & { files: ReadonlyMap<string, Uint8Array> };

export type Reply = Finding | { failed: string };
