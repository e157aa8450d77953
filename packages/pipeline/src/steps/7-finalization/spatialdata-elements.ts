import type { LabelFrame } from "../../exports/spatialdata/labels-raster.ts";
import type { WrittenImage } from "../../exports/spatialdata/multiscale-image.ts";
import {
  REGION_KEY,
  type SpatialDataFolder,
  type TableRegion,
} from "../../exports/spatialdata/spatialdata-folder.ts";
import { writeSpotsTable } from "../../exports/spatialdata/spots-table.ts";
import { openWorkingImage } from "../../optics/working-image.ts";
import type { StepContext } from "../../step.ts";
import type { Results } from "./read-results.ts";

/**
 * Writes all parts of the SpatialData folder except the cell table: shapes, labels, measured counts, and the
 * image.
 */
export async function writeElements(
  context: StepContext,
  results: Results,
  zarr: SpatialDataFolder,
): Promise<WrittenImage | null> {
  const { signal } = context;
  const { scale, image: facts } = results.facts;
  await zarr.spots(results.cells.barcodes, results.spots.xy, scale, results.spots.cluster, signal);
  await writeMeasured(context, results, zarr);
  const { regions, cells } = results;
  if (regions && cells.regions) {
    const { colors } = cells.regions;
    const colored = regions.regions.map((region, r) => ({ ...region, color: colors[r] }));
    await zarr.regions(colored, signal);
  }
  const image = await openWorkingImage(context);
  return image && zarr.image(image, facts.scale, signal);
}

/** The image extent at the scale used for segmentation. */
export function labelFrame({ facts: { image, scale, segmentation } }: Results): LabelFrame {
  return {
    widthPx: image.widthPx * image.scale,
    heightPx: image.heightPx * image.scale,
    step: segmentation.workingMicronsPerPixel / scale.micronsPerPixel,
  };
}

/** Writes tables/spot_counts: the counts as measured, per spot or per bin. */
async function writeMeasured(
  { read, signal }: StepContext,
  { cells, genes, spots }: Results,
  zarr: SpatialDataFolder,
): Promise<void> {
  const rows: TableRegion = { region: "spots", instanceKey: "barcode" };
  const table = zarr.table("spot_counts", rows);
  const content = {
    ...spots,
    barcodes: cells.barcodes,
    totalCounts: await read("spots/total_counts"),
    counts: await read("spots/counts"),
    genes,
  };
  await writeSpotsTable(table, content, { region: { key: REGION_KEY, name: rows.region }, signal });
  zarr.annotate(table, rows);
}
