/** Possible raises of markers' log rates over other cells (smaller for a type that dominates the tissue). */
const RAISES = [0.35, 0.7, 1.1];
/** Raise of markers in cells of other types. */
const ELSEWHERE = -0.1;
const [LOWEST, HIGHEST] = [-1, 1.6];
/** Markers of a set are partly redundant: n of them count as n^0.75 independent ones. */
const TOGETHER = 0.75;

/** Fraction of a type's markers that its cells express. */
export const SHARE_OF_TYPE = 0.8;

/**
 * Log odds that a set's markers are raised, where each is expressed by the type with probability `share`. The odds are
 * averaged over possible raises.
 */
export function oddsOf(raised: readonly number[], share: number, spread: number): number {
  const bounded = raised.map((value) => Math.min(HIGHEST, Math.max(LOWEST, value)));
  const ways = RAISES.map((raise) => {
    const slope = (raise - ELSEWHERE) / spread ** 2;
    const odds = bounded.reduce((sum, value) => {
      const one = slope * (value - (raise + ELSEWHERE) / 2);
      return sum + Math.log(1 - share + share * Math.exp(one));
    }, 0);
    return odds * raised.length ** (TOGETHER - 1);
  });
  return Math.log(ways.reduce((sum, odds) => sum + Math.exp(odds), 0) / ways.length);
}
