import type { AlignmentScale } from "../facts.ts";
import type { CountMatrix } from "./counts/count-matrix.ts";

/** Every place of capture on the slide, in the file's order; x and y in full-resolution pixels. */
export interface Positions {
  barcode: string[];
  inTissue: Uint8Array;
  arrayRow: Int32Array;
  arrayCol: Int32Array;
  x: Float64Array;
  y: Float64Array;
}

/** Counts of the places in tissue, one row each. */
export interface PlacedCounts extends CountMatrix {
  /** Row of each in the positions. */
  position: Uint32Array;
}

/** What a platform's own files are called where a sentence must name them. */
export interface SampleWords {
  /** File of the positions. */
  positionsFile: string;
  /** File of the counts. */
  countsFile: string;
  /** What the file of the counts should be: "the filtered_feature_bc_matrix of this sample". */
  counts: string;
  /** What to check when x and y are swapped: "pxl_row_in_fullres comes before pxl_col_in_fullres". */
  axes: string;
}

/** A sample of whatever platform, opened: what every later step knows of it. */
export interface Sample {
  positions: Positions;
  scale: AlignmentScale;
  /** Pixels of the reduced pictures per full-resolution pixel, where the platform has such pictures. */
  pictures: { hires?: number | undefined; lowres?: number | undefined };
  words: SampleWords;
  /** Reads the counts of all places in tissue. Throws InputError where counts and positions do not belong together. */
  readCounts(options: {
    warn: (message: string) => void;
    signal?: AbortSignal | undefined;
    progress?: ((fraction: number) => void) | undefined;
  }): Promise<PlacedCounts>;
}
