/** Strips per edge, and the most of them. */
const [STRIPS_PER_EDGE, MAX_STRIPS] = [0.5, 1 << 14];

/** Whether points lie inside a shape. */
export interface RingStrips {
  /** O(edges at the point's height). */
  holds(x: number, y: number): boolean;
}

/** By `evenodd`, holes are outside; by `nonzero`, all that a ring winds around is inside, even where it crosses itself. */
export type FillRule = "evenodd" | "nonzero";

/**
 * Sorts the edges of closed rings into horizontal strips, so that a point is compared only with those at its height.
 * @param rings x and y alternating; the last point is joined to the first
 */
export function ringStrips(rings: readonly Float64Array[], rule: FillRule = "evenodd"): RingStrips {
  let [least, most, edges] = [Infinity, -Infinity, 0];
  for (const ring of rings) {
    for (let p = 1; p < ring.length; p += 2) {
      least = Math.min(least, ring[p]!);
      most = Math.max(most, ring[p]!);
    }
    edges += ring.length / 2;
  }
  const nStrips = Math.max(1, Math.min(MAX_STRIPS, Math.ceil(STRIPS_PER_EDGE * edges)));
  const height = (most - least) / nStrips || 1;
  const stripOf = (y: number): number => Math.min(nStrips - 1, Math.floor((y - least) / height));
  const strips: number[][] = Array.from({ length: nStrips }, () => []);
  for (const ring of rings) {
    for (let p = 0; p < ring.length; p += 2) {
      const q = (p + 2) % ring.length;
      const [ay, by] = [ring[p + 1]!, ring[q + 1]!];
      if (ay === by) continue;
      const last = stripOf(Math.max(ay, by));
      for (let strip = stripOf(Math.min(ay, by)); strip <= last; strip++) {
        strips[strip]!.push(ring[p]!, ay, ring[q]!, by);
      }
    }
  }
  return {
    holds(x, y) {
      if (!(y >= least && y <= most)) return false;
      const strip = strips[stripOf(y)]!;
      let winding = 0;
      for (let e = 0; e < strip.length; e += 4) {
        const [ay, by] = [strip[e + 1]!, strip[e + 3]!];
        if (ay > y === by > y) continue;
        const at = strip[e]! + ((y - ay) / (by - ay)) * (strip[e + 2]! - strip[e]!);
        if (x < at) winding += by > ay ? 1 : -1;
      }
      return rule === "nonzero" ? winding !== 0 : winding % 2 !== 0;
    },
  };
}
