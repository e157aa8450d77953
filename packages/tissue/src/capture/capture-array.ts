import type { SparseMatrix } from "@stipple/numerics/matrices";

/** Spots or bins of an array; positions in µm. */
export interface Places {
  /** Name of the array within a tissue; for bins, Space Ranger's folder of them. */
  name: string;
  shape: "disc" | "square";
  /** Diameter of a spot or side length of a bin, µm. */
  sizeUm: number;
  count: number;
  barcode: string[];
  x: Float64Array;
  y: Float64Array;
  arrayRow: Int32Array;
  arrayCol: Int32Array;
  inTissue: Uint8Array;
}

/** `count` square bins whose positions still have to be filled in. */
export function emptyBins(name: string, sizeUm: number, count: number): Places {
  return {
    name,
    shape: "square",
    sizeUm,
    count,
    barcode: new Array<string>(count),
    x: new Float64Array(count),
    y: new Float64Array(count),
    arrayRow: new Int32Array(count),
    arrayCol: new Int32Array(count),
    inTissue: new Uint8Array(count),
  };
}

/** Spots or bins that capture RNA. */
export interface CaptureArray extends Places {
  /** How much of each cell's RNA each spot captures, spots × cells. */
  capture: SparseMatrix;
  /** Where RNA was captured within the bins; present only if finer bins are requested. */
  deposits?: Deposits;
}

/** Amounts of cells' RNA, each in one bin of a finer array with the same outline. */
export interface Deposits {
  bin: Uint32Array;
  cell: Uint32Array;
  amount: Float32Array;
}
