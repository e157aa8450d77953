import type { Platform } from "./platform.ts";
import { SPACE_RANGER_REQUIRES, SPACE_RANGER_SLOTS } from "./shared-slots.ts";

/** 10x Genomics' Visium: 55 µm spots. */
export const VISIUM = {
  id: "visium",
  label: "Visium",
  hint: "Spots of 55 µm, 100 µm apart",
  offered: true,
  spotNoun: "spot",
  spotShape: "disc",
  lattice: "hexagonal",
  array: { pitchUm: 100, spotSizeUm: 55 },
  resolutions: [],
  slots: SPACE_RANGER_SLOTS,
  requires: SPACE_RANGER_REQUIRES,
} as const satisfies Platform;
