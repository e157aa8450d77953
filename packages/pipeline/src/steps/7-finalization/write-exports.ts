import { platformById } from "@stipple/contract";
import { link, copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Verdict } from "@stipple/contract";
import { shareMemory } from "../../engine/tasks/arrays.ts";
import { writeTables, writeUns, type AnnDataContent } from "../../exports/anndata/write-anndata.ts";
import { writeAllocated } from "../../exports/anndata/write-allocated.ts";
import { rateLayers, writeRates, type RateSummary } from "../../exports/anndata/write-rates.ts";
import { cellName } from "../../exports/cell-names.ts";
import { writeCellMetadata } from "../../exports/csv/cell-metadata.ts";
import { writeGeneReliability } from "../../exports/csv/gene-reliability.ts";
import { writeRaw } from "../../exports/h5ad/raw-counts.ts";
import { AnnDataFile } from "../../exports/h5ad/anndata-file.ts";
import { writeSpatialSlot } from "../../exports/h5ad/spatial-slot.ts";
import {
  commonestTypes,
  segmentedCellBarcode,
  writeLoupeCategories,
} from "../../exports/loupe/categories.ts";
import { writeSegmentationGeoJson } from "../../exports/loupe/segmentation-geojson.ts";
import {
  writeCellsGeoJson,
  writeDetailedCellsGeoJson,
} from "../../exports/qupath/cells-geojson.ts";
import { writeBarcodeToCell } from "../../exports/parquet/barcode-to-cell.ts";
import { writeCellPolygons, writeNucleusPolygons } from "../../exports/parquet/cell-polygons.ts";
import { writeSeuratFolder } from "../../exports/seurat/seurat-folder.ts";
import type { WrittenImage } from "../../exports/spatialdata/multiscale-image.ts";
import {
  REGION_KEY,
  SpatialDataFolder,
  type TableRegion,
} from "../../exports/spatialdata/spatialdata-folder.ts";
import type { StepContext } from "../../step.ts";
import { sampleNameOf, spatialSlot } from "./spatial-slot.ts";
import { STIPPLE_VERSION } from "./provenance.ts";
import type { Results } from "./read-results.ts";
import { cellxgeneOf } from "./cellxgene-sample.ts";
import { writeElements } from "./spatialdata-elements.ts";
import { verdictForUns } from "./verdict/verdict.ts";

export const H5AD = "cell_expression_processed.h5ad";

/** Rates kept at most in the h5ad: 0.8 GB of values, twice (rate and X); and in the SpatialData table. */
const H5AD_ENTRIES = 200_000_000;
const ZARR_ENTRIES = 50_000_000;
/** Entries of the expected allocation kept at most: 0.4 GB in each of the two. */
const ALLOCATED_ENTRIES = 50_000_000;

export interface WrittenMatrices {
  h5ad: RateSummary;
  spatialData: RateSummary;
  seurat: RateSummary;
  /**
   * Least share of a spot's count, in UMIs, that layers/allocated keeps; 0 = every share. Null where there is no such
   * layer, because the finest bins are given to cells whole.
   */
  allocatedLeast: number | null;
  /** The image inside spatialdata.zarr; null where the sample has none. */
  image: WrittenImage | null;
  /** Whether the Seurat folder has a picture of the tissue. */
  picture: boolean;
}

/**
 * Writes everything that holds expression: the h5ad, the SpatialData folder and the Seurat folder. The rates, which are
 * most of the work, are computed once for all three.
 */
export async function writeMatrices(
  context: StepContext,
  results: Results,
  verdict: Verdict,
  output: string,
  progress: (fraction: number) => void,
): Promise<WrittenMatrices> {
  const { signal } = context;
  const spatial = await spatialSlot(context, 2 * results.outlines.halfSidePx);
  const content = annDataContent(context, results, verdict);
  const { micronsPerPixel } = results.facts.scale;
  const zarr = new SpatialDataFolder(join(output, "spatialdata.zarr"), micronsPerPixel);
  const rows: TableRegion = {
    region: results.spotLevel ? "spot_outlines" : "cells",
    instanceKey: "cell_id",
  };
  const image = await writeElements(context, results, zarr, rows.region);
  progress(0.1);
  const table = zarr.table("table", rows);
  await writeTables(table, content, { signal, region: { key: REGION_KEY, name: rows.region } });
  // Text on this thread, while others compute what goes into the h5ad.
  const seuratFolder = writeSeuratFolder(
    join(output, "seurat"),
    {
      cells: results.cells,
      geneIds: results.genes.ids,
      geneNames: results.genes.names,
      reliable: results.genes.reliable,
      counts: results.counts,
      sample: sampleNameOf(context),
      umap: results.umap,
      pca: results.pca,
      outlines: { ...results.outlines, cells: results.lightOutlines },
      picture: spatial.images.lowres
        ? { image: spatial.images.lowres, scalefactors: spatial.scalefactors }
        : null,
    },
    signal,
  );
  // Heard of when it is awaited.
  seuratFolder.catch(() => undefined);
  progress(0.15);
  const file = await AnnDataFile.create(join(output, H5AD), context.tasks);
  try {
    await writeTables(file, content, { signal });
    await writeRaw(file, results.genes, results.counts, signal);
    let allocatedLeast: number | null = null;
    // Once, for both kinds of threads.
    const spotCounts = shareMemory(await context.read("spots/counts"));
    if (!results.facts.fineBins) {
      allocatedLeast = await writeAllocated(results.allocated, [file, table], {
        maxEntries: ALLOCATED_ENTRIES,
        signal,
        progress: (fraction) => progress(0.2 + 0.2 * fraction),
        tasks: context.tasks,
        spotCounts,
      });
      content.facts.allocated_least = allocatedLeast;
    }
    const seurat = await seuratFolder;
    progress(0.4);
    const [h5adRates, zarrRates, seuratRates] = await writeRates(
      results.rates,
      [
        rateLayers(file, results.rates, H5AD_ENTRIES),
        rateLayers(table, results.rates, ZARR_ENTRIES),
        seurat,
      ],
      {
        signal,
        progress: (fraction) => progress(0.4 + 0.55 * fraction),
        shared: { tasks: context.tasks, parts: results.rates.parts, spotCounts },
      },
    );
    writeUns(file, content, h5adRates);
    writeSpatialSlot(file, spatial);
    await file.finish();
    writeUns(table, content, zarrRates);
    zarr.annotate(table, rows);
    zarr.finish();
    progress(1);
    return {
      h5ad: h5adRates,
      spatialData: zarrRates,
      seurat: seuratRates,
      allocatedLeast,
      image,
      picture: spatial.images.lowres !== undefined,
    };
  } catch (error) {
    return file.abandon(error);
  }
}

function annDataContent(context: StepContext, results: Results, verdict: Verdict): AnnDataContent {
  const { cells, genes, facts, spotLevel } = results;
  const { settings } = context;
  return {
    ...cells,
    cellNames: Array.from({ length: cells.xy.nRows }, (_, cell) => cellName(cell)),
    cellIds: Int32Array.from({ length: cells.xy.nRows }, (_, cell) => cell + 1),
    spotIds: Array.from(cells.spotOf, (spot) => cells.barcodes[spot] ?? ""),
    geneNames: genes.names,
    geneIds: genes.ids,
    geneSymbols: genes.symbols,
    geneTotals: genes.observed,
    unassigned: genes.unassigned,
    heldoutPcc: genes.heldoutPcc,
    reliable: genes.reliable,
    rateSource: genes.rateSource,
    cellPcc: genes.cellPcc,
    geneRateCv: genes.rateCv,
    types: results.types,
    clusters: results.clusters,
    umap: results.umap,
    pca: results.pca,
    membership: results.rates.parts.membership,
    profile: results.rates.parts.profile,
    counts: results.counts,
    statistics: results.statistics,
    cellxgene: cellxgeneOf(context, results),
    facts: {
      version: STIPPLE_VERSION,
      rows: spotLevel ? "spots" : "cells",
      microns_per_pixel: facts.scale.micronsPerPixel,
      segmentation_method: facts.segmentation.method,
      morphology: facts.expression.morphologySentence,
      platform: settings.platform,
      staining: settings.staining,
      analysis_type: settings.analysisType,
      seed: settings.seed,
      verdict: verdictForUns(verdict),
    },
  };
}

/** Whether Space Ranger can use the cells' outlines: it takes them for HD slides only. */
export function takesOutlines(
  { settings }: Pick<StepContext, "settings">,
  { spotLevel }: Results,
): boolean {
  return !spotLevel && platformById(settings.platform).resolutions.length > 0;
}

/** Writes the tables and the outlines for other programs. */
export async function writeTextFiles(
  context: StepContext,
  results: Results,
  output: string,
): Promise<void> {
  const { signal } = context;
  const { cells, outlines, spotLevel } = results;
  await writeCellMetadata(join(output, "cell_metadata.csv"), cells, signal);
  await writeGeneReliability(join(output, "gene_reliability.csv"), results.genes);
  const objects = {
    ...outlines,
    ...cells,
    typeColors: results.typeColors,
    areCells: !spotLevel,
    identity: `${sampleNameOf(context)} ${STIPPLE_VERSION} ${cells.xy.nRows}`,
  };
  await writeCellsGeoJson(
    join(output, "cells.geojson"),
    { ...objects, cells: results.lightOutlines },
    signal,
  );
  await writeDetailedCellsGeoJson(join(output, "cells_detailed.geojson.gz"), objects, signal);

  const polygons = { ...outlines, ...cells, micronsPerPixel: results.facts.scale.micronsPerPixel };
  await writeCellPolygons(join(output, "cell_polygons.parquet"), polygons, signal);
  if (!spotLevel) {
    await writeNucleusPolygons(join(output, "nucleus_polygons.parquet"), polygons, signal);
  }
  await writeBarcodeToCell(
    join(output, "barcode_to_cell.parquet"),
    cells.barcodes,
    await context.read("spots/cells"),
    cells.spotOf,
    signal,
  );

  const loupe = join(output, "loupe");
  await mkdir(loupe);
  const typeName = (type: number): string | null => cells.typeNames[type] ?? null;
  await writeLoupeCategories(
    join(loupe, "spot_clusters.csv"),
    "Spot cluster",
    cells.barcodes.map((barcode, spot) => [barcode, `Cluster ${results.spots.cluster[spot] + 1}`]),
  );
  const commonest = commonestTypes(
    cells.typeOf,
    cells.spotOf,
    cells.barcodes.length,
    cells.typeNames.length,
  );
  await writeLoupeCategories(
    join(loupe, "spot_cell_types.csv"),
    "Commonest cell type",
    cells.barcodes.map((barcode, spot) => [barcode, typeName(commonest[spot])]),
  );
  if (!takesOutlines(context, results)) return;
  await writeLoupeCategories(
    join(loupe, "segmented_cell_types.csv"),
    "Cell type",
    Array.from(cells.typeOf, (type, cell) => [segmentedCellBarcode(cell), typeName(type)]),
  );
  for (const [name, what] of [
    ["cell_segmentations.geojson", "cells"],
    ["nucleus_segmentations.geojson", "nuclei"],
  ] as const) {
    await writeSegmentationGeoJson(join(loupe, name), what, outlines, signal);
  }
}

/** Marker and statistics tables of earlier steps, as links where the file system has them. Returns their names. */
export async function collectTables({ read }: StepContext, output: string): Promise<string[]> {
  const folder = join(output, "statistics");
  const names: string[] = [];
  for (const path of [...(await read("clusters/tables")), ...(await read("sample/tables"))]) {
    await mkdir(folder, { recursive: true });
    const target = join(folder, basename(path));
    await link(path, target).catch(() => copyFile(path, target));
    names.push(`statistics/${basename(path)}`);
  }
  return names;
}
