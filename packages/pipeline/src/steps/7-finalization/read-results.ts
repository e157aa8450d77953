import { basename } from "node:path";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Field } from "../../fields.ts";
import type { StepContext } from "../../step.ts";
import { expectedCounts } from "../../model/expected-counts.ts";
import { clusterGroups, typeGroups } from "../../model/groups.ts";
import { readCellProteins } from "../../model/cell-proteins.ts";
import { readProteinChannels } from "./protein-channels.ts";
import {
  addNeighbors,
  statisticsForAnnData,
  type AnnDataElements,
} from "../../exports/anndata/statistics-elements.ts";
import { neighborGraph } from "../../model/neighbor-graph.ts";
import type { Proportions } from "../../exports/spatialdata/spots-table.ts";
import { sideBySide } from "../../engine/side-by-side.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { annotateCells, type CellAnnotations } from "../../annotations/annotate-cells.ts";
import { readAnnotations } from "../../annotations/read-annotations.ts";
import { annotationColumns } from "../../exports/annotation-columns.ts";
import { measureRegions, type CellRegions } from "../../regions/measure-regions.ts";
import { fullSize, readRegions } from "../../regions/read-regions.ts";
import { regionColumns } from "../../exports/region-columns.ts";
import { columnSums, rowSums } from "@stipple/numerics/sparse";
import { shownTypes } from "./shown-types.ts";
import { simplifyOutlines } from "./simplify-outlines.ts";
import type { GeneTable } from "../../exports/csv/gene-reliability.ts";

/** Maximum deviation of the light outlines from the full ones, µm. */
export const LIGHT_TOLERANCE_UM = 1;

/** All results of the earlier steps, each read once. */
export type Results = Awaited<ReturnType<typeof readResults>>;

/** Reads the results, while a thread simplifies the outlines. */
export async function readResults(context: StepContext) {
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
  // Outlines simplified within LIGHT_TOLERANCE_UM, for programs that draw each of them.
  return { ...others, lightOutlines };
}

async function readOthers(context: StepContext, polygons: Field<"cells/polygon">) {
  const { read, progress } = context;
  // Shared because worker threads read them too.
  const counts = await read("cells/counts", { shared: true });
  progress(0.01);
  const facts = await readFacts(context);
  const { micronsPerPixel } = facts.scale;
  const cells = await readCells(context, counts);
  const { xy, typeOf, typeNames, clusterOf } = cells;
  progress(0.02);
  const allocated = await read("cells/allocated");
  progress(0.03);
  const rates = await read("cells/rate");
  // Read once and share, because these are gigabytes on a large slide.
  const counted = rates.evidence.spotCounts;
  const spotCounts = counted === "cells/counts" ? counts : await read(counted, { shared: true });
  progress(0.04);
  const regions = await regionsOf(context, facts.image, xy, micronsPerPixel);
  const statistics = await statisticsFor(context, xy, micronsPerPixel);
  const typeColors = await read("types/color");
  const types = typeGroups(typeOf, typeNames, typeColors);
  const clusters = clusterGroups(clusterOf);
  const annotations = await annotationsOf(context, {
    xy,
    types: { groupOf: typeOf, groups: types },
    clusters: { groupOf: clusterOf, groups: clusters },
    domains: domainsIn(statistics),
  });
  return {
    /** Where cells lie relative to the user's regions; null if there are none. */
    regions,
    /** What people said about the cells; null if the user gave no annotations. */
    annotations,
    /** The types as annotated, otherwise as computed. */
    shown: shownTypes({ typeOf, typeNames, typeColors }, annotations && annotations.types),
    /** True if nuclei could not be detected and each spot is treated as a cell. */
    spotLevel: facts.segmentation.method === "spot_level",
    cells: {
      ...cells,
      regions: regions && regionColumns(regions),
      annotations: annotations && annotationColumns(annotations),
    },
    outlines: {
      xy,
      cells: polygons,
      nuclei: await read("nuclei/polygon"),
      halfSidePx: cellDiameterPx(cells.areaUm2, micronsPerPixel) / 2,
    },
    types,
    clusters,
    genes: await readGenes(context, counts, spotCounts),
    counts,
    /** What rates are computed from: counts of spots, or of cells where cells have their own finest bins. */
    spotCounts,
    allocated:
      counted === "spots/counts"
        ? expectedCounts({ ...allocated.parts, spotCounts: rowsOf(spotCounts) })
        : allocated,
    rates: rates.holding(spotCounts),
    /** Null if no antibodies were counted. */
    proteins: await readCellProteins(context),
    /** Proteins and the channels of a fluorescence image; empty without both. */
    proteinChannels: await readProteinChannels(context),
    pca: await read("cells/X_pca"),
    umap: await read("cells/X_umap"),
    spots: {
      xy: await read("spots/xy"),
      proportions: await readProportions(context, facts.typing),
      array: (await read("spots/array")).data,
      cluster: await read("spots/cluster"),
    },
    statistics,
    facts,
  };
}

async function readFacts({ read, readIfAny }: StepContext) {
  return {
    scale: await read("sample/scale"),
    image: await read("sample/image"),
    stain: await read("image/stain"),
    registration: await read("image/registration"),
    quality: await read("sample/quality"),
    segmentation: await read("sample/segmentation"),
    bleed: await read("sample/bleed"),
    /** Null if the sample has no bins finer than its spots. */
    fineBins: await readIfAny("sample/fine_bins"),
    expression: await read("sample/expression"),
    typing: await read("sample/typing"),
  };
}

async function readCells({ read }: StepContext, counts: SparseMatrix) {
  return {
    xy: await read("cells/xy"),
    typeOf: await read("cells/cell_type"),
    typeNames: await read("types/name"),
    clusterOf: await read("cells/cluster"),
    confidence: await read("cells/confidence"),
    typeMargin: await read("cells/type_margin"),
    observed: await read("cells/observed"),
    evidence: await read("cells/evidence"),
    imageQuality: await read("cells/image_quality"),
    totalCounts: rowSums(counts),
    rateCv: await read("cells/rate_cv"),
    areaUm2: await read("cells/area_um2"),
    spotOf: await read("cells/spot"),
    barcodes: await read("spots/barcode"),
  };
}

async function readGenes(
  { read, readIfAny }: StepContext,
  counts: SparseMatrix,
  spotCounts: SparseMatrix,
): Promise<GeneTable> {
  return {
    ids: await read("genes/id"),
    names: await read("genes/name"),
    symbols: await read("genes/symbol"),
    heldoutPcc: await read("genes/heldout_pcc"),
    reliable: await read("genes/reliable"),
    rateSource: await read("genes/rate_source"),
    rateCv: await read("genes/rate_cv"),
    cellPcc: await read("genes/cell_pcc"),
    observed: (await readIfAny("genes/fine_total")) ?? columnSums(spotCounts),
    assigned: columnSums(counts),
    unassigned: await read("genes/unassigned"),
  };
}

/** Proportions of the reference's labels and their intervals; null without a reference. */
async function readProportions(
  { read }: StepContext,
  { proportions }: Field<"sample/typing">,
): Promise<Proportions | null> {
  if (!proportions) return null;
  return {
    labels: proportions.labels,
    share: await read("spots/proportion"),
    low: await read("spots/proportion_low"),
    high: await read("spots/proportion_high"),
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
