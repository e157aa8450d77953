/** Panels have fewer genes than this. */
const LEAST_GENES = 5_000;

/**
 * Whether so many genes were measured that they were not selected for the tissue: most then have hardly any counts in
 * any one tissue, and some are expressed equally in all of its cells. The genes of a panel were chosen because cells
 * express them and differ in them.
 */
export function isWholeTranscriptome(nGenes: number): boolean {
  return nGenes >= LEAST_GENES;
}
