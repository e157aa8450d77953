import { defineTask } from "../../engine/tasks/task.ts";
import type { CellTable } from "../../exports/csv/cell-metadata.ts";
import type { Outlines } from "../../exports/rings.ts";
import type { SeuratContent } from "../../exports/seurat/seurat-folder.ts";
import type { LabelFrame } from "../../exports/spatialdata/labels-raster.ts";
import type { Polygons, SparseMatrix } from "../../fields.ts";

/** What the files of cells are written from. */
export interface CellFileContent {
  /** The folder of all exports. */
  output: string;
  cells: CellTable;
  outlines: Outlines;
  lightOutlines: Polygons;
  typeColors: readonly string[];
  /** False where spots stand for cells. */
  areCells: boolean;
  /** Text that makes the identifiers of this run its own. */
  identity: string;
  micronsPerPixel: number;
  /** Spots × cells. */
  captures: SparseMatrix;
  /** Where the SpatialData folder has its cells, its nuclei and its labels. */
  spatialData: { cells: string; nuclei: string; folder: string; frame: LabelFrame };
  seurat: Omit<SeuratContent, "cells" | "outlines">;
}

/** Files and folders of cells, each written by itself. */
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

/** Writes one of the files. */
export const writeCellFile = defineTask<CellFileContent, { file: CellFile }, object>(
  "write-cell-file",
  new URL("./cell-files-worker.ts", import.meta.url),
);
