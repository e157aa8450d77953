import { basename } from "node:path";
import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import type { Field } from "../../fields.ts";
import type { StepContext } from "../../step.ts";
import { expectedCounts, type ExpectedCounts } from "../../model/expected-counts.ts";
import type { HeldRates } from "../../model/rates.ts";
import { clusterGroups, typeGroups } from "../../model/groups.ts";
import { readCellProteins, type CellProteins } from "../../model/cell-proteins.ts";
import type { ProteinChannel } from "../../exports/csv/protein-channels.ts";
import { readProteinChannels } from "./protein-channels.ts";
import {
  addNeighbors,
  statisticsForAnnData,
  type AnnDataElements,
} from "../../exports/anndata/statistics-elements.ts";
import { neighborGraph } from "../../model/neighbor-graph.ts";
import type { Group } from "../../exports/anndata/write-anndata.ts";
import type { CellTable } from "../../exports/csv/cell-metadata.ts";
import type { Outlines } from "../../exports/rings.ts";
import type { Proportions } from "../../exports/spatialdata/spots-table.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { annotateCells, type CellAnnotations } from "../../annotations/annotate-cells.ts";
import { readAnnotations } from "../../annotations/read-annotations.ts";
import { annotationColumns } from "../../exports/annotation-columns.ts";
import { measureRegions, type CellRegions } from "../../regions/measure-regions.ts";
import { fullSize, readRegions } from "../../regions/read-regions.ts";
import { regionColumns } from "../../exports/region-columns.ts";
import { columnSums, rowSums } from "./conservation.ts";
import { shownTypes, type ShownTypes } from "./shown-types.ts";
import { simplifyOutlines } from "./simplify-outlines.ts";

/** Maximum deviation of the light outlines from the full ones, µm. */
export const LIGHT_TOLERANCE_UM = 1;

/** All results of the earlier steps, each read once. */
export interface Results {
  /** Where cells lie relative to the user's regions; null if there are none. */
  regions: CellRegions | null;
  /** What people said about the cells; null if the user gave no annotations. */
  annotations: CellAnnotations | null;
  /** The types as annotated, otherwise as computed. */
  shown: ShownTypes;
  /** True if nuclei could not be detected and each spot is treated as a cell. */
  spotLevel: boolean;
  cells: CellTable;
  outlines: Outlines;
  /** Cell outlines simplified within LIGHT_TOLERANCE_UM, for programs that draw each of them. */
  lightOutlines: Polygons;
  types: Group[];
  clusters: Group[];
  genes: {
    ids: string[];
    names: string[];
    symbols: string[];
    heldoutPcc: Float32Array;
    reliable: Uint8Array;
    /** Index into RATE_SOURCES. */
    rateSource: Uint8Array;
    rateCv: Float32Array;
    /** nGenes × 3: expected correlation over single cells, and the lower and upper bounds of its interval. */
    cellPcc: Matrix<Float32Array>;
    /**
     * Per-gene sums over the spots (or the finest bins, where cell counts come from those), over the cells, and
     * of counts assigned to no cell.
     */
    observed: Float64Array;
    assigned: Float64Array;
    unassigned: Float64Array;
  };
  counts: Field<"cells/counts">;
  /**
   * The counts from which the rates are computed, in shared memory: counts of spots, or of cells where cells
   * have their own finest bins.
   */
  spotCounts: Field<"spots/counts"> | Field<"cells/counts">;
  allocated: ExpectedCounts;
  rates: HeldRates;
  /** Null if no antibodies were counted. */
  proteins: CellProteins | null;
  /** Proteins beside the channels of a fluorescence image; empty without both. */
  proteinChannels: ProteinChannel[];
  pca: Field<"cells/X_pca">;
  umap: Field<"cells/X_umap">;
  spots: {
    xy: Field<"spots/xy">;
    /** Proportions of the reference's labels and their intervals; null without a reference. */
    proportions: Proportions | null;
    /** Interleaved array_row and array_col. */
    array: Int32Array;
    cluster: Int32Array;
  };
  statistics: AnnDataElements;
  facts: {
    scale: Field<"sample/scale">;
    image: Field<"sample/image">;
    stain: Field<"image/stain">;
    registration: Field<"image/registration">;
    quality: Field<"sample/quality">;
    segmentation: Field<"sample/segmentation">;
    bleed: Field<"sample/bleed">;
    /** Null if the sample has no bins finer than its spots. */
    fineBins: Field<"sample/fine_bins"> | null;
    expression: Field<"sample/expression">;
    typing: Field<"sample/typing">;
  };
}

/** Reads the results, while a thread simplifies the outlines. */
export async function readResults(context: StepContext): Promise<Results> {
  const { micronsPerPixel } = await context.read("sample/scale");
  const polygons = await context.read("cells/polygon", { shared: true });
  const tolerancePx = LIGHT_TOLERANCE_UM / micronsPerPixel;
  const [[lightOutlines], others] = await sideBySide(context.signal, [
    (signal) =>
      context.tasks.map(
        simplifyOutlines,
        { shared: polygons, inputs: [{ tolerancePx }] },
        { signal },
      ),
    () => readOthers(context, polygons),
  ]);
  return { ...others, lightOutlines };
}

async function readOthers(
  context: StepContext,
  polygons: Field<"cells/polygon">,
): Promise<Omit<Results, "lightOutlines">> {
  const { read } = context;
  // Shared because worker threads read them too.
  const counts = await read("cells/counts", { shared: true });
  context.progress(0.01);
  const scale = await read("sample/scale");
  const segmentation = await read("sample/segmentation");
  const xy = await read("cells/xy");
  const typeOf = await read("cells/cell_type");
  const typing = await read("sample/typing");
  const typeNames = await read("types/name");
  const typeColors = await read("types/color");
  const clusterOf = await read("cells/cluster");
  const areaUm2 = await read("cells/area_um2");
  context.progress(0.02);
  const allocated = await read("cells/allocated");
  context.progress(0.03);
  const rates = await read("cells/rate");
  // Read once and share, because these are gigabytes on a large slide.
  const counted = rates.evidence.spotCounts;
  const spotCounts = counted === "cells/counts" ? counts : await read(counted, { shared: true });
  context.progress(0.04);
  const image = await read("sample/image");
  const regions = await regionsOf(context, image, xy, scale.micronsPerPixel);
  const statistics = await statisticsFor(context, xy, scale.micronsPerPixel);
  const types = typeGroups(typeOf, typeNames, typeColors);
  const clusters = clusterGroups(clusterOf);
  const annotations = await annotationsOf(context, {
    xy,
    types: { groupOf: typeOf, groups: types },
    clusters: { groupOf: clusterOf, groups: clusters },
    domains: domainsIn(statistics),
  });
  return {
    regions,
    annotations,
    shown: shownTypes({ typeOf, typeNames, typeColors }, annotations && annotations.types),
    spotLevel: segmentation.method === "spot_level",
    cells: {
      xy,
      typeOf,
      typeNames,
      clusterOf,
      confidence: await read("cells/confidence"),
      typeMargin: await read("cells/type_margin"),
      observed: await read("cells/observed"),
      evidence: await read("cells/evidence"),
      imageQuality: await read("cells/image_quality"),
      totalCounts: rowSums(counts),
      rateCv: await read("cells/rate_cv"),
      areaUm2,
      spotOf: await read("cells/spot"),
      barcodes: await read("spots/barcode"),
      regions: regions && regionColumns(regions),
      annotations: annotations && annotationColumns(annotations),
    },
    outlines: {
      xy,
      cells: polygons,
      nuclei: await read("nuclei/polygon"),
      halfSidePx: cellDiameterPx(areaUm2, scale.micronsPerPixel) / 2,
    },
    types,
    clusters,
    genes: {
      ids: await read("genes/id"),
      names: await read("genes/name"),
      symbols: await read("genes/symbol"),
      heldoutPcc: await read("genes/heldout_pcc"),
      reliable: await read("genes/reliable"),
      rateSource: await read("genes/rate_source"),
      rateCv: await read("genes/rate_cv"),
      cellPcc: await read("genes/cell_pcc"),
      observed: (await context.readIfAny("genes/fine_total")) ?? columnSums(spotCounts),
      assigned: columnSums(counts),
      unassigned: await read("genes/unassigned"),
    },
    counts,
    spotCounts,
    allocated:
      counted === "spots/counts"
        ? expectedCounts({ ...allocated.parts, spotCounts: rowsOf(spotCounts) })
        : allocated,
    rates: rates.holding({ spotCounts }),
    proteins: await readCellProteins(context),
    proteinChannels: await readProteinChannels(context),
    pca: await read("cells/X_pca"),
    umap: await read("cells/X_umap"),
    spots: {
      xy: await read("spots/xy"),
      proportions: typing.proportions
        ? {
            labels: typing.proportions.labels,
            share: await read("spots/proportion"),
            low: await read("spots/proportion_low"),
            high: await read("spots/proportion_high"),
          }
        : null,
      array: (await read("spots/array")).data,
      cluster: await read("spots/cluster"),
    },
    statistics,
    facts: {
      scale,
      image,
      stain: await read("image/stain"),
      registration: await read("image/registration"),
      quality: await read("sample/quality"),
      segmentation,
      bleed: await read("sample/bleed"),
      fineBins: await context.readIfAny("sample/fine_bins"),
      expression: await read("sample/expression"),
      typing,
    },
  };
}

/** Measures the user's regions, if there are any, and warns of those without cells. */
async function regionsOf(
  { files, warn }: StepContext,
  image: Field<"sample/image">,
  xy: Field<"cells/xy">,
  micronsPerPixel: number,
): Promise<CellRegions | null> {
  if (!files.regions) return null;
  const measured = measureRegions(
    await readRegions(files.regions, fullSize(image)),
    xy,
    micronsPerPixel,
  );
  const { nRows, nCols, data } = measured.distanceUm;
  for (const [r, { name }] of measured.regions.entries()) {
    let cell = 0;
    while (cell < nRows && data[cell * nCols + r] >= 0) cell++;
    if (cell === nRows) {
      warn(
        `The region ${name} in ${basename(files.regions)} contains no cells: check that it was drawn on this sample's full-resolution image.`,
      );
    }
  }
  return measured;
}

/** Applies the user's annotations, if there are any, and warns of those of other cells. */
async function annotationsOf(
  { files, warn }: StepContext,
  result: Parameters<typeof annotateCells>[2],
): Promise<CellAnnotations | null> {
  if (!files.annotations) return null;
  const items = await readAnnotations(files.annotations);
  const annotations = annotateCells(basename(files.annotations), items, result);
  if (annotations.leftOut !== null) warn(annotations.leftOut);
  return annotations;
}

/** The spatial domains of an advanced analysis. */
function domainsIn({ obs }: AnnDataElements): Parameters<typeof annotateCells>[2]["domains"] {
  const domains = obs.find(({ name }) => name === "domain");
  if (!domains) return null;
  const { codes, categories, colors } = domains;
  return { groupOf: codes, groups: categories.map((name, at) => ({ name, color: colors[at] })) };
}

/** Diameter of a circle with the median cell's area, full-resolution px. */
function cellDiameterPx(areaUm2: Float32Array, micronsPerPixel: number): number {
  const median = areaUm2.toSorted()[Math.floor(areaUm2.length / 2)] ?? 0;
  return (2 * Math.sqrt(median / Math.PI)) / micronsPerPixel;
}

/** Statistics from step 6; a basic run does not include the neighbor graph, so it is computed here. */
async function statisticsFor(
  context: StepContext,
  xy: Field<"cells/xy">,
  micronsPerPixel: number,
): Promise<AnnDataElements> {
  const elements = await statisticsForAnnData(context.readIfAny);
  if (elements.obsp["spatial_connectivities"] || xy.nRows < 2) return elements;
  const { distances, maxEdgeUm } = neighborGraph(xy, micronsPerPixel);
  addNeighbors(elements, distances, maxEdgeUm, micronsPerPixel);
  return elements;
}
