/** Round numbers (1, 2 or 5 times a power of ten apart) from `low` to `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  const found: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at++) {
    found.push(Number((at * step).toPrecision(12)));
  }
  return found;
}
