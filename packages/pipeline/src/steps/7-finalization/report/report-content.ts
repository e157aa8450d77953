import type { SelfTest } from "../../../facts.ts";
import type { MarkerTable, SpatialStatistics } from "@stipple/contract/statistical-facts";
import type { CaptureNoun, RowNoun } from "../../../model/row-noun.ts";
import type { FileChecksum } from "../checksum.ts";
import type { Provenance } from "../provenance.ts";
import type { Results } from "../read-results.ts";
import type { Statistics } from "../statistics.ts";
import type { WrittenMatrices } from "../write-exports.ts";

/** Data from which report.html is built. */
export interface ReportContent {
  sample: string;
  results: Results;
  statistics: Statistics;
  provenance: Provenance;
  written: WrittenMatrices;
  /** Null if not requested. */
  selfTest: SelfTest | null;
  markers: MarkerTable[];
  /** Only for advanced runs. */
  spatial: SpatialStatistics | null;
  /** Paths of the figures from all steps. */
  figures: string[];
  /** Of types and clusters as annotated. */
  annotatedFigures: string[];
  /** Gene maps by spot, used if no gene is reliable at the cell level. */
  spotGenes: string[];
  /** Exported files alongside the report, which may be hashed while it is drawn. */
  exports: Promise<FileChecksum[]>;
  /** What each row is: a cell, or a spot or bin that is treated as one. */
  noun: RowNoun;
  /** What a capture area of the sample is called. */
  spotNoun: CaptureNoun;
}
