import { OWN_FILES } from "./own-files.ts";
import type { Platform } from "./platform.ts";
import { REFERENCE_SLOT } from "./shared-slots.ts";

/** First-generation Spatial Transcriptomics (Ståhl et al. 2016): 100 µm spots, tables of counts and coordinates. */
export const ST = {
  id: "st",
  label: "Spatial Transcriptomics",
  hint: "Spots of 100 µm, 200 µm apart",
  // The specification's pages offer two platforms.
  offered: false,
  spotNoun: "spot",
  spotShape: "disc",
  lattice: "square",
  array: { pitchUm: 200, spotSizeUm: 100 },
  resolutions: [],
  slots: [
    {
      id: "coordinates",
      group: "spatial_data",
      part: "positions",
      label: "Spot coordinates",
      fileName: "the spot coordinates (.tsv)",
      extensions: [".tsv.gz", ".tsv"],
      storedAs: "spot_coordinates",
    },
    {
      id: "counts",
      group: "spatial_data",
      part: "matrix",
      label: "Counts of spots × genes",
      fileName: "the table of counts (.tsv)",
      extensions: [".tsv.gz", ".tsv"],
      storedAs: "counts",
      holdsCounts: true,
    },
    {
      id: "he_image",
      group: "he_image",
      label: "Histology image",
      fileName: "the histology image (.jpg, .png, .tif, or .btf)",
      extensions: [".jpeg", ".tiff", ".jpg", ".png", ".tif", ".btf"],
      storedAs: "image",
    },
    REFERENCE_SLOT,
    ...OWN_FILES,
  ],
  requires: [{ oneOf: [["counts"]] }, { oneOf: [["coordinates"]] }, { oneOf: [["he_image"]] }],
} as const satisfies Platform;
