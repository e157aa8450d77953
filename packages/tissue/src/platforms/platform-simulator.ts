import type { SparseMatrix } from "@stipple/pipeline/fields";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { CaptureArray } from "../capture/capture-array.ts";
import type { CellKind } from "../catalogue/tissue-plan.ts";
import type { Gene } from "../expression/genes.ts";
import type { TissueOptions } from "../options.ts";
import type { Raster } from "../paint/raster.ts";

/** An array and what it counted. */
export interface Captured {
  array: CaptureArray;
  counts: SparseMatrix;
}

/** How a platform captures a tissue, and the files that it would have written. */
export interface PlatformSimulator {
  /** What differs by default from the usual options. */
  defaults: Partial<TissueOptions>;
  array(
    map: TissueMap,
    cells: Cells,
    looks: readonly CellKind[],
    options: TissueOptions,
  ): CaptureArray;
  /** Coarser arrays that are sums of the first. */
  sums?(captured: Captured): Captured[];
  writeCounts(
    out: string,
    captured: Captured,
    genes: readonly Gene[],
    genome: string,
  ): Promise<{ nSpots: number; totalCounts: number }>;
  /** Writes positions and whatever else goes with the image. */
  writePositions(
    out: string,
    array: CaptureArray,
    raster: Raster,
    options: TissueOptions,
  ): Promise<void>;
}
