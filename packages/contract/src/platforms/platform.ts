import type { Requirement, UploadSlot } from "./upload-slot.ts";

/**
 * A technology that captures RNA in situ, as far as the pages and the API need to know it. The pipeline
 * (readers/registry.ts) pairs each entry of the list with a reader.
 */
export interface Platform {
  /** What API and command line call it. */
  id: string;
  label: string;
  /** Its main feature, in a few words. */
  hint: string;
  /** Whether the pages offer it to new projects; API and command line take every platform. */
  offered: boolean;
  /** What a capture location is called. */
  spotNoun: "spot" | "bin";
  /** Outline of a capture location. */
  spotShape: "disc" | "square";
  /** Arrangement of the capture locations. */
  lattice: "hexagonal" | "square";
  /** Center-to-center distance of neighboring spots and their diameter, µm; null if the bin size sets both. */
  array: { pitchUm: number; spotSizeUm: number } | null;
  /** Bin sizes to choose from, µm, the default first; empty without bins. */
  resolutions: readonly string[];
  /** Where a project's input files go. */
  slots: readonly UploadSlot[];
  requires: readonly Requirement[];
}
