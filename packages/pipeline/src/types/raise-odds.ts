import { CONFIRMATION } from "../model/constants.ts";

const { RAISES, LOWEST, HIGHEST, ELSEWHERE, TOGETHER } = CONFIRMATION;

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
