import { platformById, type Verdict } from "@stipple/contract";
import { link, copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { progressParts } from "../../engine/progress-parts.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { shareMemory } from "@stipple/tasks/arrays";
import { writeTables, writeUns, type AnnDataContent } from "../../exports/anndata/write-anndata.ts";
import { writeAllocated } from "../../exports/anndata/write-allocated.ts";
import { rateLayers, writeRates, type RateSummary } from "../../exports/anndata/write-rates.ts";
import { annotationsForUns, regionsForUns } from "../../exports/anndata/annotations-for-uns.ts";
import { countInRegions, writeRegionComposition } from "../../exports/csv/region-composition.ts";
import { writeGeneReliability } from "../../exports/csv/gene-reliability.ts";
import { writeRaw } from "../../exports/h5ad/raw-counts.ts";
import { AnnDataFile } from "../../exports/h5ad/anndata-file.ts";
import { writeSpatialSlot } from "../../exports/h5ad/spatial-slot.ts";
import {
  mostCommonTypes,
  segmentedCellBarcode,
  writeLoupeCategories,
} from "../../exports/loupe/categories.ts";
import { writeProteins, writeProteinChannels } from "../../exports/csv/protein-channels.ts";
import { seuratNames, seuratRates } from "../../exports/seurat/seurat-folder.ts";
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
import { writeCellFile, type CellFile, type CellFileContent } from "./write-cell-file.ts";
import { cellxgeneOf } from "./cellxgene-sample.ts";
import { labelFrame, writeElements } from "./spatialdata-elements.ts";
import { verdictForUns } from "./verdict/verdict.ts";

/** Counted proteins and the channels of the image. */
const PROTEIN_CHANNELS = "protein_channels.csv";
export const H5AD = "cell_expression_processed.h5ad";
const SPATIAL_DATA = "spatialdata.zarr";

/**
 * Maximum number of rates kept in the h5ad (0.8 GB of values, stored twice: rate and X) and in the SpatialData
 * table.
 */
const H5AD_ENTRIES = 200_000_000;
const ZARR_ENTRIES = 50_000_000;
/** Maximum number of entries kept of the expected allocation: 0.4 GB in each of the two. */
const ALLOCATED_ENTRIES = 50_000_000;

export interface WrittenMatrices {
  h5ad: RateSummary;
  spatialData: RateSummary;
  seurat: RateSummary;
  /**
   * Smallest share of a spot's count, in UMIs, kept in layers/allocated; 0 = every share. Null if that layer
   * does not exist because whole finest bins are assigned to cells.
   */
  allocatedLeast: number | null;
  /** The image inside spatialdata.zarr; null if the sample has none. */
  image: WrittenImage | null;
  /** Whether the Seurat folder includes a tissue image. */
  picture: boolean;
}

/** What the rows of the SpatialData table are. */
function rowsOf({ spotLevel }: Results): TableRegion {
  return { region: spotLevel ? "spot_outlines" : "cells", instanceKey: "cell_id" };
}

/**
 * Writes everything except the report and the tables of earlier steps. The h5ad, SpatialData, and Seurat
 * outputs share their rates, which are computed once for all three; files with only cell data are written by
 * worker threads meanwhile.
 */
export async function writeExports(
  context: StepContext,
  results: Results,
  verdict: Verdict,
  output: string,
  progress: (fraction: number) => void,
): Promise<WrittenMatrices> {
  const spatial = await spatialSlot(context, 2 * results.outlines.halfSidePx);
  const { micronsPerPixel } = results.facts.scale;
  const zarr = new SpatialDataFolder(join(output, SPATIAL_DATA), micronsPerPixel, context.tasks);
  const [ofFiles, ofElements, ofMatrices] = progressParts([0.2, 0.05, 0.75], progress);
  const [written, image] = await sideBySide(context.signal, [
    (signal) =>
      writeMatrices(
        { ...context, signal },
        results,
        verdict,
        { output, spatial, zarr },
        ofMatrices,
      ),
    async (signal) => {
      const image = await writeElements({ ...context, signal }, results, zarr);
      ofElements(1);
      return image;
    },
    (signal) => writeCellFiles({ ...context, signal }, results, { output, spatial, zarr }, ofFiles),
  ]);
  zarr.finish();
  return { ...written, image, picture: spatial.images.lowres !== undefined };
}

/** Output paths, and the data they share. */
interface ExportPlaces {
  output: string;
  spatial: Awaited<ReturnType<typeof spatialSlot>>;
  zarr: SpatialDataFolder;
}

async function writeMatrices(
  context: StepContext,
  results: Results,
  verdict: Verdict,
  { output, spatial, zarr }: ExportPlaces,
  progress: (fraction: number) => void,
): Promise<Omit<WrittenMatrices, "image" | "picture">> {
  const { signal } = context;
  const content = annDataContent(context, results, verdict);
  const rows = rowsOf(results);
  const table = zarr.table("table", rows);
  const part =
    (from: number, to: number) =>
    (fraction: number): void =>
      progress(from + (to - from) * fraction);
  await writeTables(table, content, {
    signal,
    region: { key: REGION_KEY, name: rows.region },
    progress: part(0, 0.05),
  });
  const file = await AnnDataFile.create(join(output, H5AD), context.tasks);
  try {
    await writeTables(file, content, { signal, progress: part(0.05, 0.15) });
    await writeRaw(file, results.genes, results.counts, { signal, progress: part(0.15, 0.2) });
    let allocatedLeast: number | null = null;
    const { rates, spotCounts } = results;
    if (!results.facts.fineBins) {
      allocatedLeast = await writeAllocated(results.allocated, [file, table], {
        maxEntries: ALLOCATED_ENTRIES,
        signal,
        progress: part(0.2, 0.4),
        tasks: context.tasks,
        spotCounts,
      });
      content.facts.allocated_least = allocatedLeast;
    }
    progress(0.4);
    const { ids: geneIds, names: geneNames, reliable } = results.genes;
    const seurat = await seuratRates(
      join(output, "seurat"),
      { sample: sampleNameOf(context), geneIds, geneNames, reliable },
      results.cells.xy.nRows,
    );
    const [h5adRates, zarrRates, ofSeurat] = await writeRates(
      rates,
      [rateLayers(file, rates, H5AD_ENTRIES), rateLayers(table, rates, ZARR_ENTRIES), seurat],
      {
        signal,
        progress: part(0.4, 0.95),
        shared: { tasks: context.tasks, parts: rates.parts, spotCounts },
      },
    );
    writeUns(file, content, h5adRates);
    file.group("uns/spatial");
    writeSpatialSlot(file, spatial);
    await file.finish();
    writeUns(table, content, zarrRates);
    zarr.annotate(table, rows);
    progress(1);
    return { h5ad: h5adRates, spatialData: zarrRates, seurat: ofSeurat, allocatedLeast };
  } catch (error) {
    return file.abandon(error);
  }
}

/** Writes tables, outlines, and counts for other programs, file by file on the step's threads. */
async function writeCellFiles(
  context: StepContext,
  results: Results,
  { output, spatial, zarr }: ExportPlaces,
  progress: (fraction: number) => void,
): Promise<void> {
  const { cells, genes, spotLevel } = results;
  const { read, signal, tasks } = context;
  await mkdir(join(output, "loupe"));
  const isTaken = takesOutlines(context, results);
  // Longest first.
  const files: CellFile[] = [
    "seurat",
    "cells_detailed.geojson.gz",
    ...(spotLevel ? [] : (["labels"] as const)),
    "cells.geojson",
    "cell_polygons.parquet",
    ...(spotLevel ? [] : (["nucleus_polygons.parquet", "nucleus shapes"] as const)),
    "cell shapes",
    ...(isTaken
      ? (["loupe/cell_segmentations.geojson", "loupe/nucleus_segmentations.geojson"] as const)
      : []),
    "cell_metadata.csv",
    "barcode_to_cell.parquet",
  ];
  const frame = labelFrame(results);
  if (!spotLevel) zarr.labels(frame);
  const content: CellFileContent = {
    output,
    cells,
    outlines: results.outlines,
    lightOutlines: results.lightOutlines,
    shown: results.shown,
    areCells: !spotLevel,
    identity: `${sampleNameOf(context)} ${STIPPLE_VERSION} ${cells.xy.nRows}`,
    micronsPerPixel: results.facts.scale.micronsPerPixel,
    captures: await read("spots/cells"),
    spatialData: {
      cells: zarr.cells(rowsOf(results).region),
      nuclei: spotLevel ? "" : zarr.cells("nuclei"),
      folder: join(output, SPATIAL_DATA),
      frame,
    },
    seurat: {
      sample: sampleNameOf(context),
      geneIds: genes.ids,
      geneNames: genes.names,
      reliable: genes.reliable,
      counts: results.counts,
      umap: results.umap,
      pca: results.pca,
      picture: spatial.images.lowres
        ? { image: spatial.images.lowres, scalefactors: spatial.scalefactors }
        : null,
    },
  };
  const shared = shareMemory(content);
  const waiting = [...files];
  let done = 0;
  const writeNext = async (either: AbortSignal): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      // Only on threads of this machine, because the files are local.
      const call = { shared, inputs: [{ file }] };
      await tasks.inOrder(writeCellFile, call, { signal: either }).next();
      progress(++done / files.length);
    }
  };
  // Half of the threads are left to the matrices, which would otherwise wait for the longest files.
  const lanes = Math.max(1, Math.floor(tasks.parallel / 2));
  await sideBySide(
    signal,
    Array.from({ length: lanes }, () => writeNext),
  );
}

function annDataContent(context: StepContext, results: Results, verdict: Verdict): AnnDataContent {
  const { facts, spotLevel, annotations, rates, regions } = results;
  const { settings } = context;
  return {
    ...results,
    membership: rates.parts.membership,
    profile: rates.parts.profile,
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
      ...(annotations && { annotations: annotationsForUns(annotations) }),
      ...(regions && { regions: regionsForUns(regions) }),
    },
  };
}

/** Whether Space Ranger can use the cell outlines; it accepts them only for HD slides. */
export function takesOutlines(
  { settings }: Pick<StepContext, "settings">,
  { spotLevel }: Results,
): boolean {
  return !spotLevel && platformById(settings.platform).resolutions.length > 0;
}

/** Writes the small tables for other programs. */
export async function writeSmallTables(
  context: StepContext,
  results: Results,
  output: string,
): Promise<void> {
  const { cells, regions, shown } = results;
  if (regions) {
    const rows = countInRegions(regions, shown.typeOf, shown.typeNames);
    await writeRegionComposition(join(output, "region_composition.csv"), rows, context.signal);
  }
  if (results.proteins) {
    const nameOf = seuratNames(sampleNameOf(context));
    const path = join(output, "seurat", "protein.csv.gz");
    await writeProteins(path, results.proteins, cells.xy.nRows, nameOf, context.signal);
    if (results.proteinChannels.length > 0) {
      await writeProteinChannels(join(output, PROTEIN_CHANNELS), results.proteinChannels);
    }
  }
  await writeGeneReliability(join(output, "gene_reliability.csv"), results.genes);
  const loupe = join(output, "loupe");
  const typeName = (type: number): string | null => shown.typeNames[type] ?? null;
  await writeLoupeCategories(
    join(loupe, "spot_clusters.csv"),
    "Spot cluster",
    cells.barcodes.map((barcode, spot) => [barcode, `Cluster ${results.spots.cluster[spot]}`]),
  );
  const mostCommon = mostCommonTypes(
    shown.typeOf,
    await context.read("spots/cells"),
    shown.typeNames.length,
  );
  await writeLoupeCategories(
    join(loupe, "spot_cell_types.csv"),
    "Most common cell type",
    cells.barcodes.map((barcode, spot) => [barcode, typeName(mostCommon[spot])]),
  );
  if (!takesOutlines(context, results)) return;
  await writeLoupeCategories(
    join(loupe, "segmented_cell_types.csv"),
    "Cell type",
    Array.from(shown.typeOf, (type, cell) => [segmentedCellBarcode(cell), typeName(type)]),
  );
}

/**
 * Marker and statistics tables of earlier steps, as hard links where the file system supports them. Returns
 * their names.
 */
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
