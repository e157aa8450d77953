import { join } from "node:path";
import { writeCellMetadata } from "../../exports/csv/cell-metadata.ts";
import { writeSegmentationGeoJson } from "../../exports/loupe/segmentation-geojson.ts";
import { writeBarcodeToCell } from "../../exports/parquet/barcode-to-cell.ts";
import { writeCellPolygons, writeNucleusPolygons } from "../../exports/parquet/cell-polygons.ts";
import {
  writeCellsGeoJson,
  writeDetailedCellsGeoJson,
} from "../../exports/qupath/cells-geojson.ts";
import { writeSeuratFolder } from "../../exports/seurat/seurat-folder.ts";
import { drawCellLabels, writeCellShapes } from "../../exports/spatialdata/spatialdata-folder.ts";
import type { CellFile, CellFileContent } from "./cell-files-task.ts";

type Write = (content: CellFileContent, path: string, signal: AbortSignal) => Promise<void>;

const WRITERS: Record<CellFile, Write> = {
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
};

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export default async function work(
  content: CellFileContent,
  { file }: { file: CellFile },
): Promise<object> {
  await WRITERS[file](content, join(content.output, file), new AbortController().signal);
  return {};
}

function objectsOf({
  outlines,
  cells,
  typeColors,
  areCells,
  identity,
}: CellFileContent): Parameters<typeof writeCellsGeoJson>[1] {
  return { ...outlines, ...cells, typeColors, areCells, identity };
}

function polygonsOf({
  outlines,
  cells,
  micronsPerPixel,
}: CellFileContent): Parameters<typeof writeCellPolygons>[1] {
  return { ...outlines, ...cells, micronsPerPixel };
}
