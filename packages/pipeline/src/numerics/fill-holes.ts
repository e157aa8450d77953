/**
 * Fills the holes of a mask in place: 4-connected regions of 0 with at most `maxArea` pixels that do not reach the
 * image's border. O(pixels).
 */
export function fillHoles(mask: Uint8Array, width: number, maxArea: number): void {
  const seen = new Uint8Array(mask.length);
  const queue = new Int32Array(mask.length);
  for (let start = 0; start < mask.length; start++) {
    if (mask[start] || seen[start]) continue;
    let end = 0;
    let open = false;
    queue[end++] = start;
    seen[start] = 1;
    for (let at = 0; at < end; at++) {
      const p = queue[at];
      const x = p % width;
      if (x === 0 || x === width - 1 || p < width || p >= mask.length - width) open = true;
      for (let side = 0; side < 4; side++) {
        let q = -1;
        if (side === 0 && x > 0) q = p - 1;
        else if (side === 1 && x < width - 1) q = p + 1;
        else if (side === 2) q = p - width;
        else if (side === 3 && p + width < mask.length) q = p + width;
        if (q < 0 || mask[q] || seen[q]) continue;
        seen[q] = 1;
        queue[end++] = q;
      }
    }
    if (open || end > maxArea) continue;
    for (let at = 0; at < end; at++) mask[queue[at]] = 1;
  }
}
