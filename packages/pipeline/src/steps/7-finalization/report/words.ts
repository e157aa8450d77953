/** Stored words as a reader knows them. */
export const SETTINGS_WORDS = {
  staining: { h_and_e: "H&E", if: "immunofluorescence" },
} as const;

export const SCALE_SOURCE = {
  array_pitch: "distance of the spots, which the array fixes",
  microns_per_pixel: "microns_per_pixel of the scale factors",
  nearest_neighbour: "median distance of nearest spots",
} as const;

export const SEGMENTATION_METHOD: Record<string, string> = {
  network: "trained network",
  classical: "classical (stain, local threshold, watershed)",
  space_ranger: "outlines of Space Ranger",
  spot_level: "none: every spot stands for a row",
};

export const IMAGE_SOURCE = {
  microscope: "microscope image",
  hires: "Space Ranger's hires picture",
  lowres: "Space Ranger's lowres picture",
  none: "none",
} as const;
