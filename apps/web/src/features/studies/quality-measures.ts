import type { StudyQuality } from "@stipple/contract/routes/studies";
import { figureText, wholeText } from "./figures.ts";
import { QUALITY_TEXTS as TEXTS } from "./texts.ts";

/** A number by which samples are compared. */
export interface Measure {
  title: string;
  /** Null where it could not be measured. */
  of(quality: StudyQuality): number | null;
  text(value: number): string;
}

const percentText = (share: number): string => `${Math.round(100 * share)}%`;

export const MEASURES: readonly Measure[] = [
  { title: TEXTS.umis, of: (one) => one.median_umis_per_spot, text: wholeText },
  { title: TEXTS.genes, of: (one) => one.median_genes_per_spot, text: wholeText },
  { title: TEXTS.cells, of: (one) => one.cells, text: wholeText },
  { title: TEXTS.reliable, of: (one) => one.reliable_genes, text: wholeText },
  { title: TEXTS.heldout, of: (one) => one.heldout_correlation, text: figureText },
  { title: TEXTS.image, of: (one) => one.clear_image, text: percentText },
  { title: TEXTS.registration, of: (one) => one.spots_on_tissue, text: percentText },
];
