import { defineTask } from "../../engine/tasks/task.ts";
import type { CellTable } from "../../exports/csv/cell-metadata.ts";
import type { Outlines } from "../../exports/rings.ts";
import type { SeuratContent } from "../../exports/seurat/seurat-folder.ts";
import type { LabelFrame } from "../../exports/spatialdata/labels-raster.ts";
import type { Polygons, SparseMatrix } from "@stipple/numerics/matrices";

/** Data from which the per-cell files are written. */
export interface CellFileContent {
  /** Folder of all exports. */
  output: string;
  cells: CellTable;
  outlines: Outlines;
  lightOutlines: Polygons;
  typeColors: readonly string[];
  /** False if the rows are spots rather than cells. */
  areCells: boolean;
  /** Text from which identifiers unique to this run are derived. */
  identity: string;
  micronsPerPixel: number;
  /** Spots × cells. */
  captures: SparseMatrix;
  /** Paths of cells, nuclei, and labels in the SpatialData folder. */
  spatialData: { cells: string; nuclei: string; folder: string; frame: LabelFrame };
  seurat: Omit<SeuratContent, "cells" | "outlines">;
}

/** Files and folders with cell data, each written independently. */
export type CellFile =
  | "seurat"
  | "cells_detailed.geojson.gz"
  | "labels"
  | "cells.geojson"
  | "cell_polygons.parquet"
  | "nucleus_polygons.parquet"
  | "cell shapes"
  | "nucleus shapes"
  | "cell_metadata.csv"
  | "barcode_to_cell.parquet"
  | "loupe/cell_segmentations.geojson"
  | "loupe/nucleus_segmentations.geojson";

/** Writes one of these files. */
export const writeCellFile = defineTask<CellFileContent, { file: CellFile }, object>(
  "write-cell-file",
  new URL("./cell-files-worker.ts", import.meta.url),
);
