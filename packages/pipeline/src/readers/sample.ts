import type { Platform } from "@stipple/contract";
import type { AlignmentScale } from "../facts.ts";
import type { CountMatrix, FeatureType } from "./counts/count-matrix.ts";

/** All capture spots on the slide, in file order; x and y in full-resolution pixels. */
export interface Positions {
  barcode: string[];
  inTissue: Uint8Array;
  arrayRow: Int32Array;
  arrayCol: Int32Array;
  x: Float64Array;
  y: Float64Array;
  /** Barcodes of further spots, off tissue, whose places the file does not give. */
  unplaced?: ReadonlySet<string>;
}

/** Counts of the spots in tissue, one row each. */
export interface PlacedCounts extends CountMatrix {
  /** Row of each spot in the positions. */
  position: Uint32Array;
}

/** What messages call a platform's files and capture locations. */
export interface SampleWords {
  noun: Platform["spotNoun"];
  /** Name of the positions file. */
  positionsFile: string;
  /** Name of the counts file. */
  countsFile: string;
  /** What the counts file should be: "the filtered_feature_bc_matrix of this sample". */
  counts: string;
  /** What to check when x and y are swapped: "pxl_row_in_fullres comes before pxl_col_in_fullres". */
  axes: string;
}

/** An opened sample of any platform: everything that later steps know about it. */
export interface Sample {
  positions: Positions;
  scale: AlignmentScale;
  /** Pixels of the reduced pictures per full-resolution pixel, if the platform has such pictures. */
  pictures: { hires?: number | undefined; lowres?: number | undefined };
  words: SampleWords;
  /**
   * The rows of the positions whose spots are in tissue and have counts, found without reading the counts where their
   * file lists its spots. Throws InputError if counts and positions do not belong together.
   */
  matchCounts(): Promise<Uint32Array>;
  /**
   * Reads the counts of all spots in tissue: of genes, unless other features are asked for. Throws InputError if counts
   * and positions do not belong together, or there are no such features.
   */
  readCounts(options: {
    features?: FeatureType | undefined;
    warn: (message: string) => void;
    signal?: AbortSignal | undefined;
    progress?: ((fraction: number) => void) | undefined;
  }): Promise<PlacedCounts>;
}
