import type { Matrix, SparseMatrix } from "@stipple/pipeline/fields";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { CaptureArray, Places } from "../capture/capture-array.ts";
import type { CellKind } from "../catalogue/tissue-plan.ts";
import type { Gene } from "../expression/genes.ts";
import type { TissueOptions } from "../options.ts";
import type { Raster } from "../paint/raster.ts";

/** An array and what it counted. */
export interface Captured<A extends Places = CaptureArray> {
  array: A;
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
  /**
   * The finest array, whose sums the first is, where the options ask for it, and which cell its counts came from (cells ×
   * genes). `rates`: cells × genes.
   */
  finest?(
    captured: Captured,
    rates: Matrix<Float32Array>,
    options: TissueOptions,
  ): (Captured<Places> & { captured: SparseMatrix }) | null;
  /** `formats`: everything that the instrument's software writes, or what is read of the finest array. */
  writeCounts(
    out: string,
    captured: Captured<Places>,
    genes: readonly Gene[],
    genome: string,
    formats?: "all" | "filtered_h5",
  ): Promise<{ nSpots: number; totalCounts: number }>;
  /** Writes positions and whatever else goes with the image. */
  writePositions(out: string, array: Places, raster: Raster, options: TissueOptions): Promise<void>;
}
