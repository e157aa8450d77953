/** How far the log rates of markers may lie above those elsewhere: a type that makes up most of a tissue less. */
const RAISES = [0.35, 0.7, 1.1];
/** … where they belong to other types. */
const ELSEWHERE = -0.1;
const [LOWEST, HIGHEST] = [-1, 1.6];
/** Markers of a set say partly the same: what n of them say together counts as what n^0.75 say would. */
const TOGETHER = 0.75;

/** Share of its markers that cells of a type have. */
export const SHARE_OF_TYPE = 0.8;

/**
 * Log odds that a set's markers are raised, each with the probability `share` of being had by the type at all; the mean
 * over how far they may be raised.
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
