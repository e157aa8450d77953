/** Reader-friendly wording for stored values. */
export const SETTINGS_WORDS = {
  staining: { h_and_e: "H&E", if: "immunofluorescence" },
} as const;

export const SCALE_SOURCE = {
  array_pitch: "spacing of the spots on the array",
  microns_per_pixel: "microns_per_pixel of the scale factors",
  nearest_neighbor: "median distance between nearest spots",
} as const;

export const SEGMENTATION_METHOD: Record<string, string> = {
  network: "neural network",
  space_ranger: "Space Ranger outlines",
  given: "outlines from another program",
  spot_level: "none: each row is a spot",
};

export const IMAGE_SOURCE = {
  microscope: "microscope image",
  hires: "Space Ranger's hires image",
  lowres: "Space Ranger's lowres image",
  none: "none",
} as const;
