import type { Requirement, UploadSlot } from "./upload-slot.ts";

/**
 * A technology that captures RNA in place, as far as pages and API must know it. How its files are read stands in the
 * pipeline (readers/registry.ts), which pairs every entry of the list with a reader.
 */
export interface Platform {
  /** What API and command line call it. */
  id: string;
  label: string;
  /** What sets it apart, in a few words. */
  hint: string;
  /** Whether the pages offer it to new projects; API and command line take every platform. */
  offered: boolean;
  /** What one place of capture is called. */
  spotNoun: "spot" | "bin";
  /** Outline of a place of capture. */
  spotShape: "disc" | "square";
  /** Arrangement of the places of capture. */
  lattice: "hexagonal" | "square";
  /** Center-to-center distance of neighboring spots and their diameter, µm; null where the bin size sets both. */
  array: { pitchUm: number; spotSizeUm: number } | null;
  /** Bin sizes to choose from, µm, the default first; empty where there are no bins to choose. */
  resolutions: readonly string[];
  /** Where a project's input files go. */
  slots: readonly UploadSlot[];
  requires: readonly Requirement[];
}
