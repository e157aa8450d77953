import type { Platform } from "./platform.ts";
import { SPACE_RANGER_REQUIRES, SPACE_RANGER_SLOTS } from "./shared-slots.ts";
import type { UploadSlot } from "./upload-slot.ts";

/**
 * Additive and optional: the finest bins, from which cells get their counts and the evidence for their rates. Their
 * positions follow from their barcodes and the positions of the chosen bins. Space Ranger uses the same file name for
 * every bin size.
 */
const FINE_BINS_SLOT = {
  id: "fine_bins",
  group: "fine_bins",
  label: "2 µm bins (optional)",
  fileName: "filtered_feature_bc_matrix.h5 of square_002um",
  extensions: [".h5"],
  storedAs: "square_002um",
  isAddition: true,
} as const satisfies UploadSlot;

/** 10x Genomics' Visium HD: a gapless array, of which Space Ranger's bins of 8 and 16 µm are analyzed. */
export const HD_VISIUM = {
  id: "hd_visium",
  label: "HD Visium",
  hint: "Continuous bins of 8 or 16 µm",
  offered: true,
  spotNoun: "bin",
  spotShape: "square",
  lattice: "square",
  array: null,
  resolutions: ["8", "16"],
  slots: [...SPACE_RANGER_SLOTS, FINE_BINS_SLOT],
  requires: SPACE_RANGER_REQUIRES,
} as const satisfies Platform;
