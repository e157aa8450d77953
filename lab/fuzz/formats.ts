/**
 * Upload formats, each with an example file name; the child process reads them like the platform. Those that begin with
 * "added" are given to an analysis on the command line.
 */
export const FORMATS = {
  tiff: "image.tif",
  png: "tissue_hires_image.png",
  jpeg: "tissue_hires_image.jpg",
  "barcodes-gz": "barcodes.tsv.gz",
  "features-gz": "features.tsv.gz",
  "matrix-gz": "matrix.mtx.gz",
  tsv: "features.tsv",
  mtx: "matrix.mtx",
  csv: "tissue_positions.csv",
  parquet: "tissue_positions.parquet",
  json: "scalefactors_json.json",
  geojson: "cell_segmentations.geojson",
  h5: "filtered_feature_bc_matrix.h5",
  h5ad: "reference.h5ad",
  "st-counts": "counts.tsv",
  "st-coordinates": "spot_coordinates.tsv",
  "added-geojson": "cells.geojson",
  "added-npy": "masks.npy",
  "added-tiff": "masks.tif",
  "added-parquet": "cell_boundaries.parquet",
  "added-regions": "regions.geojson",
  "added-alignment": "alignment.json",
  "added-annotations": "annotations.json",
} as const;
export type Format = keyof typeof FORMATS;
export const ALL_FORMATS = Object.keys(FORMATS) as Format[];

/** One mutated file, fully determined by its format, number, and seed. */
export interface Case {
  format: Format;
  index: number;
  seed: number;
  /** Only stored values are changed, of a file stored in this way (damage/stored-files.ts). */
  stored?: string;
}

/** The outcome for a file. */
export interface Outcome {
  /**
   * "read": as the whole file; "read otherwise": with other content, which is a failure only where a checksum covers
   * all that was changed; "refused"; or a failure.
   */
  kind:
    | "read"
    | "read otherwise"
    | "refused"
    | "wrong error"
    | "bad sentence"
    | "crash"
    | "hang"
    | "memory";
  detail: string;
  /** CPU time. */
  ms: number;
  /** Peak memory of the process so far. */
  peakMb: number;
  /** The file left a library in the process unusable. */
  isSpent?: boolean;
}
