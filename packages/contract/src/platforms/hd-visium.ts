import type { Platform } from "./platform.ts";
import { SPACE_RANGER_REQUIRES, SPACE_RANGER_SLOTS } from "./shared-slots.ts";

/** 10x Genomics' Visium HD: a gapless array, of which Space Ranger's bins of 8 and 16 µm are analyzed. */
export const HD_VISIUM = {
  id: "hd_visium",
  label: "HD Visium",
  hint: "Continuous bins of 2, 8 or 16 µm",
  offered: true,
  spotNoun: "bin",
  spotShape: "square",
  lattice: "square",
  array: null,
  resolutions: ["8", "16"],
  slots: SPACE_RANGER_SLOTS,
  requires: SPACE_RANGER_REQUIRES,
} as const satisfies Platform;
