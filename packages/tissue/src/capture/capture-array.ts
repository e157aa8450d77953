import type { SparseMatrix } from "@stipple/pipeline/fields";

/** Spots or bins on which RNA is captured; positions in µm. */
export interface CaptureArray {
  /** Tells the arrays of a tissue apart; for bins, Space Ranger's folder of them. */
  name: string;
  shape: "disc" | "square";
  /** Diameter of a spot or side of a bin, µm. */
  sizeUm: number;
  count: number;
  barcode: string[];
  x: Float64Array;
  y: Float64Array;
  arrayRow: Int32Array;
  arrayCol: Int32Array;
  inTissue: Uint8Array;
  /** How much of each cell's RNA each spot captures, spots × cells. */
  capture: SparseMatrix;
}
