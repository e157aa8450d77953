/** Panels have fewer genes than this. */
const LEAST_GENES = 5_000;

/**
 * Whether so many genes were measured that nobody selected them: most of them are then barely counted in any one
 * tissue, and some are the same in all of its cells. The genes of a panel were chosen because cells express them and
 * differ in them.
 */
export function isWholeTranscriptome(nGenes: number): boolean {
  return nGenes >= LEAST_GENES;
}
