import { LEARNED_PART } from "./constants.ts";

const { MAX_PANEL_GENES } = LEARNED_PART;

/**
 * Whether so many genes were measured that they were not selected for the tissue, or only by a filter for genes that
 * vary: most then have hardly any counts, and some are expressed equally in all cells. The genes of a panel were chosen
 * because cells express them and differ in them.
 */
export function isWholeTranscriptome(nGenes: number): boolean {
  return nGenes > MAX_PANEL_GENES;
}
