/** A ring (x, y of its corners) as the data of an SVG path. `toScreen` converts its units. O(corners). */
export function ringPath(
  ring: ArrayLike<number>,
  toScreen = (x: number, y: number): readonly [number, number] => [x, y],
): string {
  let path = "";
  for (let at = 0; at + 1 < ring.length; at += 2) {
    const [x, y] = toScreen(ring[at]!, ring[at + 1]!);
    path += `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return `${path}Z`;
}
