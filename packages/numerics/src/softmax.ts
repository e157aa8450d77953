/** Log odds, up to a constant, to shares with a sum of 1, in place; −∞ has none. O(n). */
export function softmax(odds: Float64Array): void {
  const most = odds.reduce((a, b) => Math.max(a, b), -Infinity);
  let total = 0;
  for (let i = 0; i < odds.length; i++) total += odds[i] = Math.exp(odds[i] - most);
  for (let i = 0; i < odds.length; i++) odds[i] /= total;
}
