/** What a joint space is made of. */
export interface SpaceKind {
  /** What is placed. */
  of: "cells" | "spots";
  /** Observed counts, or the rates that the model infers (cells only). */
  on: "counts" | "rate";
}

/** A sample whose rows (cells or spots) take part in a joint space. */
export interface SpaceSample {
  name: string;
  condition: string;
  batch: string;
  /** In words; null where the results do not say. */
  species: string | null;
  genes: { id: string[]; name: string[] };
  nRows: number;
  /** Rows that say enough to be placed, ascending. */
  kept: Uint32Array<ArrayBuffer>;
  types: { names: string[]; of: Int32Array } | null;
  nameOf(row: number): string;
  /** Totals of some rows over all genes. */
  totals(rows: Uint32Array): Float64Array | Promise<Float64Array>;
  /** How variable each gene is beyond noise over some rows whose totals are scaled to `scale`; NaN for unusable ones. */
  variability(rows: Uint32Array, scale: number): Promise<Float64Array>;
  /**
   * ln(1 + value) of some rows and genes after their totals are scaled, rows × genes. Reuse the same `genes` array: what
   * depends on it is prepared once.
   */
  block(
    rows: Uint32Array,
    genes: Uint32Array,
    scale: number,
  ): Float32Array<ArrayBuffer> | Promise<Float32Array<ArrayBuffer>>;
}

/** A sample of a study with what its design says of it; empty where it does not. */
export interface SpaceSource {
  name: string;
  condition: string;
  batch: string;
  /** Its folder of results. */
  results: string;
}
