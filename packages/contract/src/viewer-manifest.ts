import * as z from "zod/mini";

const group = z.object({ name: z.string(), color: z.string(), count: z.int() });

/** Numeric columns of cells that a page can color and plot by, in display order. */
export const CELL_MEASURES = [
  "cells.total_counts",
  "cells.n_genes",
  "cells.area_um2",
  "cells.nucleus_area_um2",
  "cells.confidence",
  "cells.type_margin",
  "cells.rate_cv",
] as const;
export type CellMeasure = (typeof CELL_MEASURES)[number];

/**
 * What a cell's expression is based on: a spot that touches it; a spot within reach (one spot distance, at least 20
 * µm); or no spot. The values of the h5ad's `obs["evidence"]`.
 */
export const CELL_EVIDENCE = ["measured", "inferred", "beyond_reach"] as const;
export type CellEvidence = (typeof CELL_EVIDENCE)[number];

/**
 * Image quality at a cell: sharp; out of focus; too dark to see nuclei (a fold, pigment, ink); under colored ink; or
 * not judged (a coarse image, too little contrast, whole spots). The values of the h5ad's `obs["image_quality"]`.
 */
export const IMAGE_QUALITIES = ["good", "blurred", "dark", "pen", "not_judged"] as const;
export type ImageQuality = (typeof IMAGE_QUALITIES)[number];

/**
 * Where a gene's rate comes from: the model or, if held-out spots show that it predicts better, the weighted mean of
 * the spots around a cell or its nearest spot. The values of the h5ad's `var["rate_source"]`.
 */
export const RATE_SOURCES = ["model", "interpolation", "spot"] as const;
export type RateSource = (typeof RATE_SOURCES)[number];

/** Nucleus contours, in the layout of `polygonTiles`. */
export const NUCLEI_FILE = "nuclei.bin";

const columnName = z.enum([
  /** 2 × nCells, nSpots: x, y in full-resolution px. */
  "cells.xy",
  "spots.xy",
  /** 2 × nCells, nothing scaled. */
  "cells.umap",
  /** Index into types, clusters, domains; 65,535 = none. Domains: analysis type advanced only. */
  "cells.type",
  "cells.cluster",
  "cells.domain",
  /** 1 = the cell is in a spot, so its counts were measured. */
  "cells.observed",
  /** Index into CELL_EVIDENCE. */
  "cells.evidence",
  /** Index into IMAGE_QUALITIES. */
  "cells.image_quality",
  ...CELL_MEASURES,
  "spots.total_counts",
  /** Index into spotClusters; 65,535 = none. */
  "spots.cluster",
  /** 1 = reliable, by the rule stated in the report. */
  "genes.reliable",
  /** Correlation of predicted and observed counts over held-out spots; NaN = not tested. */
  "genes.heldout_pcc",
  /** Coefficient of variation of the rate when spots are resampled; NaN = unknown. */
  "genes.rate_cv",
  /** Index into RATE_SOURCES; absent from results of earlier versions. */
  "genes.rate_source",
  "genes.total_counts",
  /** (columns · rows + 1) byte offsets into polygonTiles.file. */
  "polygons.offsets",
  /** Byte offsets of nucleus contours into NUCLEI_FILE; absent from results of earlier versions. */
  "nuclei.offsets",
]);
export type ViewerColumn = z.infer<typeof columnName>;
/** A column of `proteins`, by the protein's name. */
export type ProteinColumn = `protein:${string}`;

const column = z.object({
  file: z.string(),
  dtype: z.enum(["float32", "uint32", "uint16", "uint8"]),
  length: z.int(),
});

/** The first thing a viewer reads. Columns are little-endian binary files next to it (see `columns`). */
export const viewerManifest = z.object({
  version: z.literal(2),
  widthPx: z.number(),
  heightPx: z.number(),
  micronsPerPixel: z.number(),
  nCells: z.int(),
  nSpots: z.int(),
  spotRadiusPx: z.number(),
  /** Side of a square HD bin, full-resolution px; null if spots are round. */
  binSidePx: z.nullable(z.number()),
  /** Rotation of the HD bin grid relative to the image, radians from −π/4 to π/4, from x toward y. */
  binAngle: z._default(z.number(), 0),
  types: z.array(group),
  clusters: z.array(group),
  /** Empty unless the analysis type is advanced. */
  domains: z.array(group),
  /** In the order of CELL_EVIDENCE; absent from older views. */
  evidence: z.optional(z.array(group)),
  /** In the order of IMAGE_QUALITIES; absent if the image was not judged, and from older views. */
  imageQuality: z.optional(z.array(group)),
  spotClusters: z.array(group),
  /** Gene names as in the h5ad's var index. */
  genes: z.array(z.string()),
  /**
   * DeepZoom pyramid `tissue_files/{level}/{column}_{row}.{format}`. `scale` = full-resolution pixels per pixel of the
   * largest level.
   */
  tissue: z.object({
    tileSize: z.int(),
    overlap: z.int(),
    format: z.string(),
    widthPx: z.int(),
    heightPx: z.int(),
    scale: z.number(),
  }),
  /**
   * Fluorescence only: an OME-Zarr pyramid (axes c, y, x) of the same size as `tissue`, and the initial look of its
   * channels.
   */
  channels: z.nullable(
    z.object({
      path: z.string(),
      dtype: z.enum(["uint8", "uint16"]),
      channels: z.array(
        z.object({ name: z.string(), color: z.string(), low: z.number(), high: z.number() }),
      ),
    }),
  ),
  /**
   * Outlines, by square tiles of the full-resolution image, row by row, so a page reads only those in view (HTTP
   * ranges of one file). A tile's bytes: uint32 n; n × uint32 cell; (n + 1) × uint32 first corner; then float32 x, y
   * of each corner in full-resolution px (open rings). A cell is in the tile that contains its center.
   */
  polygonTiles: z.object({
    file: z.string(),
    tileSidePx: z.number(),
    columns: z.int(),
    rows: z.int(),
  }),
  columns: z.partialRecord(columnName, column),
  /** Proteins of cells, normalized; absent where no antibodies were counted, and from older views. */
  proteins: z.optional(z.array(z.object({ name: z.string(), column }))),
});
export type ViewerManifest = z.infer<typeof viewerManifest>;
