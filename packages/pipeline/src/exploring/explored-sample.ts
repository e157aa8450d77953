import type { ViewerColumn, ViewerManifest } from "@stipple/contract";
import type { HeldRates } from "../model/rates.ts";
import type { CapturedSpots } from "../steps/6-projection-analysis/cell-markers/spot-test.ts";
import type { TestedCells } from "../steps/6-projection-analysis/spatial-statistics/tested-cells.ts";
import type { GeneMajorCounts } from "../steps/6-projection-analysis/viewer/gene-major-counts.ts";

/** What clusters, their markers, and similar genes of the interactive view are computed from. */
export interface ExploredSample {
  /** Results folder. */
  results: string;
  manifest: ViewerManifest;
  counts: GeneMajorCounts;
  rates(): Promise<HeldRates>;
  spots(): Promise<CapturedSpots>;
  column(name: ViewerColumn): Promise<Uint8Array<ArrayBuffer>>;
  /** Counts of every cell. */
  totals(): Promise<Float32Array>;
  /** The cells with enough counts of their own. */
  tested(): Promise<TestedCells>;
  /** Indices of genes by name. Throws UnknownGeneError. */
  genes(names: readonly string[]): number[];
}

/** Share that is done, 0–1. */
export type Progress = (done: number) => void;
