/** Widens `bounds` (left, top, right, bottom) to hold these points. */
export function widen(bounds: number[], xy: Float64Array): void {
  for (let p = 0; p < xy.length; p += 2) {
    bounds[0] = Math.min(bounds[0], xy[p]);
    bounds[1] = Math.min(bounds[1], xy[p + 1]);
    bounds[2] = Math.max(bounds[2], xy[p]);
    bounds[3] = Math.max(bounds[3], xy[p + 1]);
  }
}
