import type { RowNoun } from "../../../model/row-noun.ts";

/** Several rows, at the start of a sentence or a title. */
export const ROWS: Record<RowNoun, string> = { cell: "Cells", spot: "Spots", bin: "Bins" };

/** Reader-friendly wording for stored values. */
export const SETTINGS_WORDS = {
  staining: { h_and_e: "H&E", if: "immunofluorescence" },
} as const;

export const SCALE_SOURCE = {
  array_pitch: "spacing of the array",
  microns_per_pixel: "microns_per_pixel of the scale factors",
  nearest_neighbor: "median distance between nearest neighbors",
} as const;

export const SEGMENTATION_METHOD: Record<string, string> = {
  network: "neural network",
  space_ranger: "Space Ranger outlines",
  given: "outlines from another program",
  spot_level: "none: rows are not cells",
};

export const IMAGE_SOURCE = {
  microscope: "microscope image",
  hires: "Space Ranger's hires image",
  lowres: "Space Ranger's lowres image",
  none: "none",
} as const;
