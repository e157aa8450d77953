/** Formats that people upload, by the name of one such file; the child process reads them as the platform does. */
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
} as const;
export type Format = keyof typeof FORMATS;
export const ALL_FORMATS = Object.keys(FORMATS) as Format[];

/** One mutated file: made anew from its format, number and seed alone. */
export interface Case {
  format: Format;
  index: number;
  seed: number;
}

/** What became of it. */
export interface Outcome {
  /** "read", "refused", or what must not be. */
  kind: "read" | "refused" | "wrong error" | "bad sentence" | "crash" | "hang" | "memory";
  detail: string;
  /** Time of a processor. */
  ms: number;
  /** Most memory that the process has had so far. */
  peakMb: number;
  /** The file has left a library of the process unusable. */
  isSpent?: boolean;
}
