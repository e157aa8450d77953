import { defineTask } from "@stipple/tasks/task";
import { type CellTable, writeCellMetadata } from "../../exports/csv/cell-metadata.ts";
import type { Outlines } from "../../exports/rings.ts";
import { type SeuratContent, writeSeuratFolder } from "../../exports/seurat/seurat-folder.ts";
import type { ShownTypes } from "./shown-types.ts";
import type { LabelFrame } from "../../exports/spatialdata/labels-raster.ts";
import type { Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { join } from "node:path";
import { writeSegmentationGeoJson } from "../../exports/loupe/segmentation-geojson.ts";
import { writeBarcodeToCell } from "../../exports/parquet/barcode-to-cell.ts";
import { writeCellPolygons, writeNucleusPolygons } from "../../exports/parquet/cell-polygons.ts";
import {
  writeCellsGeoJson,
  writeDetailedCellsGeoJson,
} from "../../exports/qupath/cells-geojson.ts";
import { drawCellLabels, writeCellShapes } from "../../exports/spatialdata/spatialdata-folder.ts";

/** Data from which the per-cell files are written. */
export interface CellFileContent {
  /** Folder of all exports. */
  output: string;
  cells: CellTable;
  outlines: Outlines;
  lightOutlines: Polygons;
  /** The types that programs show which take one type per cell. */
  shown: ShownTypes;
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

type Write = (content: CellFileContent, path: string, signal: AbortSignal) => Promise<void>;

const WRITERS = {
  seurat: (content, path, signal) =>
    writeSeuratFolder(
      path,
      {
        ...content.seurat,
        cells: content.cells,
        outlines: { ...content.outlines, cells: content.lightOutlines },
      },
      signal,
    ),
  "cells_detailed.geojson.gz": (content, path, signal) =>
    writeDetailedCellsGeoJson(path, objectsOf(content), signal),
  labels: ({ outlines, spatialData: { folder, frame } }, _path, signal) =>
    drawCellLabels(folder, outlines, frame, signal),
  "cells.geojson": (content, path, signal) =>
    writeCellsGeoJson(path, { ...objectsOf(content), cells: content.lightOutlines }, signal),
  "cell_polygons.parquet": (content, path, signal) =>
    writeCellPolygons(path, polygonsOf(content), signal),
  "nucleus_polygons.parquet": (content, path, signal) =>
    writeNucleusPolygons(path, polygonsOf(content), signal),
  "cell shapes": ({ outlines, spatialData }, _path, signal) =>
    writeCellShapes(spatialData.cells, "cells", outlines, signal),
  "nucleus shapes": ({ outlines, spatialData }, _path, signal) =>
    writeCellShapes(spatialData.nuclei, "nuclei", outlines, signal),
  "cell_metadata.csv": ({ cells }, path, signal) => writeCellMetadata(path, cells, signal),
  "barcode_to_cell.parquet": ({ cells, captures }, path, signal) =>
    writeBarcodeToCell(path, cells.barcodes, captures, cells.spotOf, signal),
  "loupe/cell_segmentations.geojson": ({ outlines }, path, signal) =>
    writeSegmentationGeoJson(path, "cells", outlines, signal),
  "loupe/nucleus_segmentations.geojson": ({ outlines }, path, signal) =>
    writeSegmentationGeoJson(path, "nuclei", outlines, signal),
} satisfies Record<string, Write>;

/** Files and folders with cell data, each written independently. */
export type CellFile = keyof typeof WRITERS;

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export async function writeOne(
  content: CellFileContent,
  { file }: { file: CellFile },
): Promise<object> {
  await WRITERS[file](content, join(content.output, file), new AbortController().signal);
  return {};
}

function objectsOf({
  outlines,
  cells,
  shown,
  areCells,
  identity,
}: CellFileContent): Parameters<typeof writeCellsGeoJson>[1] {
  return { ...outlines, ...cells, ...shown, areCells, identity };
}

function polygonsOf({
  outlines,
  cells,
  micronsPerPixel,
}: CellFileContent): Parameters<typeof writeCellPolygons>[1] {
  return { ...outlines, ...cells, micronsPerPixel };
}

/** Writes one of these files. */
export const writeCellFile = defineTask(import.meta.url, writeOne);
