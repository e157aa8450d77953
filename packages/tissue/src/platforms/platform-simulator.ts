import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { CaptureArray, Places } from "../capture/capture-array.ts";
import type { CellKind } from "../catalog/tissue-plan.ts";
import type { Gene } from "../expression/genes.ts";
import type { TissueOptions } from "../options.ts";
import type { Raster } from "../paint/raster.ts";

/** An array and its counts. */
export interface Captured<A extends Places = CaptureArray> {
  array: A;
  counts: SparseMatrix;
}

/** How a platform captures a tissue, and the files that it would write. */
export interface PlatformSimulator {
  /** Defaults that differ from the usual options. */
  defaults: Partial<TissueOptions>;
  array(
    map: TissueMap,
    cells: Cells,
    looks: readonly CellKind[],
    options: TissueOptions,
  ): CaptureArray;
  /** Coarser arrays that are sums of the first. */
  sums?(captured: Captured): Captured[];
  /**
   * If requested by the options, the finest array, whose sums are the first array, and the cell of origin of
   * its counts (cells × genes). `rates`: cells × genes.
   */
  finest?(
    captured: Captured,
    rates: Matrix<Float32Array>,
    options: TissueOptions,
  ): (Captured<Places> & { captured: SparseMatrix }) | null;
  /**
   * `formats`: everything that the instrument's software writes, or only the file that is read for the finest
   * array.
   */
  writeCounts(
    out: string,
    captured: Captured<Places>,
    genes: readonly Gene[],
    genome: string,
    formats?: "all" | "filtered_h5",
  ): Promise<{ nSpots: number; totalCounts: number }>;
  /** Writes positions and other files that accompany the image. */
  writePositions(out: string, array: Places, raster: Raster, options: TissueOptions): Promise<void>;
}
