import type { FiledAnnotation } from "@stipple/contract/annotation-file";
import type {
  StudyComparison,
  StudyDownload,
  StudySpaceAnswer,
} from "@stipple/contract/routes/studies";
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
  samples: (OrderedSample & {
    /** State of its regions that are compared; empty for all cells. */
    region: string;
    /** State of what people say its types are. */
    types: string;
    annotations: FiledAnnotation[];
    /** Their polygons. */
    within?: Float64Array[][] | undefined;
  })[];
  groups: [string, string] | null;
  region: string | null;
}

export interface SpaceOrder {
  samples: OrderedSample[];
  kind: SpaceKind;
  /** Of its own, for the files that it makes. */
  folder: string;
}

/** All samples as one file. */
export interface CombineOrder {
  samples: {
    name: string;
    folder: string;
    design: Record<string, string>;
    /** What people say its types are, for the report. */
    annotations?: FiledAnnotation[] | undefined;
  }[];
  part: StudyDownload;
  /** Of the study, and the columns of its design. */
  title: string;
  design: string[];
  /** Their cells in one space, if they were placed: a local table. */
  space: string | null;
  /** Of its own, for the files that it makes. */
  folder: string;
}

export type Order =
  | { lane: "compare"; order: CompareOrder }
  | { lane: "space"; order: SpaceOrder }
  | { lane: "combine"; order: CombineOrder };

/** Name of the points that a page draws, among the files of a joint space. */
export const SPACE_POINTS = "points";

/** Name of the table of cells among them. */
export const SPACE_CELLS = "cells.parquet";

/** Name of the one file of a combined study. */
export const COMBINED = "combined";

/** What was found, or why there is nothing. */
export type KeptFinding =
  | { refusal: string }
  | { comparison: StudyComparison }
  | { space: StudySpaceAnswer }
  /** The end of the file's name. */
  | { combined: { suffix: string } };

/** A local file that a thread has made, with its hex SHA-256. */
export interface MadeFile {
  path: string;
  size: number;
  sha256: string;
}

/** With its files by name: small ones gzipped. */
export type Finding = KeptFinding & { files: ReadonlyMap<string, Uint8Array | MadeFile> };

export type Reply = Finding | { failed: string };
