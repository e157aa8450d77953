import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NUCLEI_FILE, viewerManifest, type ViewerManifest } from "@stipple/contract";
import type { AlignmentScale, ImageFacts } from "../../../facts.ts";
import type { Matrix, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { columnSums, rowSums } from "@stipple/numerics/sparse";
import type { LegendEntry } from "../../../figures/legend.ts";
import type { TissueImage } from "../../../readers/images/tissue-image.ts";
import type { CellProteins } from "../../../model/cell-proteins.ts";
import { evidenceGroups, imageQualityGroups } from "../../../model/groups.ts";
import { writeChannelPyramid } from "./channel-pyramid.ts";
import { groupColumn, writeColumns, writeProteins } from "./columns.ts";
import { writeGeneMajorCounts } from "./gene-major-counts.ts";
import { writePolygonTiles } from "./polygon-tiles.ts";
import { writeTissuePyramid } from "./tissue-pyramid.ts";
import { binGrid } from "../../../readers/lattice/bin-squares.ts";

export interface ViewerContent {
  image: TissueImage | null;
  /**
   * The image was declared as fluorescence: a gray image is then a channel, not a grayscale picture of the
   * tissue.
   */
  fluorescence?: boolean;
  facts: ImageFacts;
  scale: AlignmentScale;
  types: LegendEntry[];
  clusters: LegendEntry[];
  /** Empty unless the analysis is advanced. */
  domains: LegendEntry[];
  spotClusters: LegendEntry[];
  /** nCells × nGenes, allocated. */
  counts: SparseMatrix;
  cells: {
    xy: Matrix;
    /** May still be in progress. */
    umap: Matrix | Promise<Matrix>;
    polygons: Polygons;
    nuclei: Polygons;
    typeOf: Int32Array;
    clusterOf: Int32Array;
    domainOf: Int32Array | null;
    observed: Uint8Array;
    evidence: Uint8Array;
    imageQuality: Uint8Array;
    areaUm2: Float32Array;
    nucleusAreaUm2: Float32Array;
    confidence: Float32Array;
    typeMargin: Float32Array;
    rateCv: Float32Array;
  };
  spots: {
    xy: Matrix;
    /** nSpots × 2: array_row, array_col. */
    array: Matrix<Int32Array>;
    clusterOf: Int32Array;
    totalCounts: Float64Array;
  };
  /** Null if no antibodies were counted. */
  proteins: CellProteins | null;
  genes: {
    names: string[];
    reliable: Uint8Array;
    heldoutPcc: Float32Array;
    rateCv: Float32Array;
    /** Index into RATE_SOURCES. */
    rateSource: Uint8Array;
    /** Counts that were not allocated to any cell. */
    unassigned: Float64Array;
  };
}

/** Writes everything the interactive view reads: tiles, columns, per-gene counts, and manifest.json. */
export async function writeViewer(
  folder: string,
  content: ViewerContent,
  signal: AbortSignal,
  progress: (fraction: number) => void = () => undefined,
): Promise<void> {
  const { image, facts, scale, cells, spots } = content;
  await mkdir(folder, { recursive: true });
  const extent = image
    ? { widthPx: facts.widthPx * facts.scale, heightPx: facts.heightPx * facts.scale }
    : { widthPx: reach(0, [cells.xy, spots.xy]), heightPx: reach(1, [cells.xy, spots.xy]) };
  const tissue = await writeTissuePyramid(folder, image, extent, signal);
  const channels =
    image && (image.kind === "channels" || (image.kind === "gray" && content.fluorescence))
      ? await writeChannelPyramid(folder, image, facts.micronsPerPixel, signal)
      : null;
  progress(0.5);
  await writeGeneMajorCounts(folder, content.counts);
  progress(0.75);
  const outlines = await writePolygonTiles(
    folder,
    "polygons.bin",
    cells.xy,
    cells.polygons,
    extent,
  );
  const contours = await writePolygonTiles(folder, NUCLEI_FILE, cells.xy, cells.nuclei, extent);
  progress(0.95);
  const columns = await writeColumns(folder, {
    ...columnsOf(content, (await cells.umap).data),
    "polygons.offsets": outlines.offsets,
    "nuclei.offsets": contours.offsets,
  });
  const spotSizePx = scale.spotSizeUm / scale.micronsPerPixel;
  const grid = scale.spotShape === "square" ? binGrid(spots.xy, spots.array, spotSizePx) : null;
  const manifest: ViewerManifest = {
    version: 2,
    ...extent,
    micronsPerPixel: scale.micronsPerPixel,
    nCells: cells.xy.nRows,
    nSpots: spots.xy.nRows,
    spotRadiusPx: spotSizePx / 2,
    binSidePx: grid && grid.sidePx,
    binAngle: grid ? grid.angle : 0,
    types: content.types,
    clusters: content.clusters,
    domains: content.domains,
    evidence: evidenceGroups(cells.evidence),
    imageQuality: imageQualityGroups(cells.imageQuality),
    spotClusters: content.spotClusters,
    genes: content.genes.names,
    tissue,
    channels,
    polygonTiles: outlines.tiles,
    columns,
    ...(content.proteins && { proteins: await writeProteins(folder, content.proteins) }),
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(viewerManifest.parse(manifest)));
}

/** A value for each cell, spot, or gene. */
function columnsOf({ counts, cells, spots, genes }: ViewerContent, umap: ArrayLike<number>) {
  return {
    "cells.xy": Float32Array.from(cells.xy.data),
    "spots.xy": Float32Array.from(spots.xy.data),
    "cells.umap": Float32Array.from(umap),
    "cells.type": groupColumn(cells.typeOf),
    "cells.cluster": groupColumn(cells.clusterOf),
    ...(cells.domainOf && { "cells.domain": groupColumn(cells.domainOf) }),
    "cells.observed": cells.observed,
    "cells.evidence": cells.evidence,
    "cells.image_quality": cells.imageQuality,
    "cells.total_counts": Float32Array.from(rowSums(counts)),
    "cells.n_genes": genesOfCells(counts),
    "cells.area_um2": cells.areaUm2,
    "cells.nucleus_area_um2": cells.nucleusAreaUm2,
    "cells.confidence": cells.confidence,
    "cells.type_margin": cells.typeMargin,
    "cells.rate_cv": cells.rateCv,
    "spots.total_counts": Float32Array.from(spots.totalCounts),
    "spots.cluster": groupColumn(spots.clusterOf),
    "genes.reliable": genes.reliable,
    "genes.heldout_pcc": genes.heldoutPcc,
    "genes.rate_cv": genes.rateCv,
    "genes.rate_source": genes.rateSource,
    // Every count of a spot was allocated to one cell or to none.
    "genes.total_counts": Float32Array.from(columnSums(counts)).map(
      (sum, gene) => sum + genes.unassigned[gene],
    ),
  };
}

/** Number of genes with counts in each cell. */
function genesOfCells({ nRows, indptr, data }: SparseMatrix): Float32Array {
  const genes = new Float32Array(nRows);
  for (let cell = 0; cell < nRows; cell++) {
    for (let k = indptr[cell]; k < indptr[cell + 1]; k++) if (data[k] !== 0) genes[cell]++;
  }
  return genes;
}

/** Extent of the positions along an axis (0 = x, 1 = y), with a margin; used for a sample without an image. */
function reach(axis: 0 | 1, positions: readonly Matrix[]): number {
  let farthest = 1;
  for (const { nRows, data } of positions) {
    for (let i = 0; i < nRows; i++) farthest = Math.max(farthest, data[2 * i + axis]);
  }
  return Math.ceil(farthest * 1.02);
}
