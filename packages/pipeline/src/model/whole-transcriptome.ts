/** A panel has fewer genes. */
const LEAST_GENES = 5_000;

/**
 * Whether so many genes were counted that nobody chose them: most then hardly count in any one tissue, and some are the
 * same in all of its cells. The genes of a panel were taken because cells express them, and differ in it.
 */
export function isWholeTranscriptome(nGenes: number): boolean {
  return nGenes >= LEAST_GENES;
}
