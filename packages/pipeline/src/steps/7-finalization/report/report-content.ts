import type { SelfTest } from "../../../facts.ts";
import type { MarkerTable, SpatialStatistics } from "@stipple/contract/statistical-facts";
import type { FileChecksum } from "../checksum.ts";
import type { Provenance } from "../provenance.ts";
import type { Results } from "../read-results.ts";
import type { Statistics } from "../statistics.ts";
import type { WrittenMatrices } from "../write-exports.ts";

/** What report.html is made from. */
export interface ReportContent {
  sample: string;
  results: Results;
  statistics: Statistics;
  provenance: Provenance;
  written: WrittenMatrices;
  /** Null when it was not asked for. */
  selfTest: SelfTest | null;
  markers: MarkerTable[];
  /** Of advanced runs only. */
  spatial: SpatialStatistics | null;
  /** Paths of the steps' pictures. */
  figures: string[];
  /** Maps of genes by spot, where no gene is reliable for cells. */
  spotGenes: string[];
  /** Files beside the report. */
  exports: FileChecksum[];
  /** What the rows are: "cell", or "spot" where spots stand for cells. */
  noun: "cell" | "spot";
}
