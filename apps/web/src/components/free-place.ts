/** The extent of something on the screen from top to bottom, px. */
export interface Extent {
  top: number;
  bottom: number;
}

/**
 * How far above the lower edge of a window something of this height can stand without covering any of `taken`: the
 * lowest such place, or the one that covers the least if there is none. `margin` is kept from the edges. O(n²) for n
 * extents.
 */
export function freePlace(
  height: number,
  { window, margin, taken }: { window: number; margin: number; taken: readonly Extent[] },
): number {
  const lowest = window - margin;
  const highest = margin + height;
  const covered = (bottom: number): number =>
    taken.reduce(
      (sum, one) =>
        sum + Math.max(0, Math.min(one.bottom, bottom) - Math.max(one.top, bottom - height)),
      0,
    );
  // The lowest free place is at the bottom or just above something.
  const places = [lowest, ...taken.map(({ top }) => top)]
    .filter((bottom) => bottom <= lowest && bottom >= highest)
    .sort((a, b) => b - a);
  let best = lowest;
  for (const place of places) if (covered(place) < covered(best)) best = place;
  return window - best;
}
