/**
 * Makes symbols unique as anndata does: the first keeps its name; later ones get -1, -2, …, skipping names
 * already in use. O(n).
 */
export function uniqueNames(symbols: readonly string[]): string[] {
  const taken = new Set(symbols);
  const seen = new Map<string, number>();
  return symbols.map((symbol) => {
    const count = seen.get(symbol);
    if (count === undefined) {
      seen.set(symbol, 0);
      return symbol;
    }
    let next = count + 1;
    while (taken.has(`${symbol}-${next}`)) next++;
    seen.set(symbol, next);
    const name = `${symbol}-${next}`;
    taken.add(name);
    return name;
  });
}
