/** Nuclei of a tile. */
export interface Nuclei {
  /** Nucleus of each pixel, 1 … count; 0 = none. Every nucleus is 4-connected and has no holes. */
  labels: Int32Array;
  count: number;
  /** Cell of each pixel, by its nucleus's label, if cells are given; otherwise they are grown around the nuclei. */
  cells?: Int32Array;
}
