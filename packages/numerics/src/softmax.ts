/** Log odds from … to − 1, up to a constant, to shares with a sum of 1, in place; −∞ has none. O(n). */
export function softmax(odds: Float64Array, from = 0, to = odds.length): void {
  let most = -Infinity;
  for (let i = from; i < to; i++) most = Math.max(most, odds[i]);
  let total = 0;
  for (let i = from; i < to; i++) total += odds[i] = Math.exp(odds[i] - most);
  for (let i = from; i < to; i++) odds[i] /= total;
}
