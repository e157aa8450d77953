/**
 * Makes every labeled object one 4-connected piece without holes (its largest piece; holes that hold nothing else are
 * filled), drops those smaller than `minArea` px, and renumbers the rest 1 … n in the order of their first pixel.
 * Works in place; returns the former label of each new one. O(pixels).
 */
export function tidyLabels(
  labels: Int32Array,
  width: number,
  height: number,
  count: number,
  minArea: number,
): number[] {
  const piece = new Int32Array(labels.length);
  const best = new Int32Array(count + 1);
  const bestArea = new Int32Array(count + 1);
  const queue = new Int32Array(labels.length);
  const flood = (start: number, number: number): number => {
    const label = labels[start];
    let end = 0;
    queue[end++] = start;
    piece[start] = number;
    for (let at = 0; at < end; at++) {
      const p = queue[at];
      const x = p % width;
      if (x > 0 && piece[p - 1] === 0 && labels[p - 1] === label) {
        piece[p - 1] = number;
        queue[end++] = p - 1;
      }
      if (x < width - 1 && piece[p + 1] === 0 && labels[p + 1] === label) {
        piece[p + 1] = number;
        queue[end++] = p + 1;
      }
      if (p >= width && piece[p - width] === 0 && labels[p - width] === label) {
        piece[p - width] = number;
        queue[end++] = p - width;
      }
      if (p + width < labels.length && piece[p + width] === 0 && labels[p + width] === label) {
        piece[p + width] = number;
        queue[end++] = p + width;
      }
    }
    return end;
  };
  let pieces = 0;
  for (let p = 0; p < labels.length; p++) {
    if (labels[p] === 0 || piece[p] !== 0) continue;
    const label = labels[p];
    const area = flood(p, ++pieces);
    if (area > bestArea[label]) {
      bestArea[label] = area;
      best[label] = pieces;
    }
  }
  for (let p = 0; p < labels.length; p++) {
    if (labels[p] && best[labels[p]] !== piece[p]) labels[p] = 0;
  }
  fillOwnHoles(labels, width, height);
  const areas = new Int32Array(count + 1);
  for (let p = 0; p < labels.length; p++) areas[labels[p]]++;
  const renumbered = new Int32Array(count + 1);
  const kept: number[] = [];
  for (let p = 0; p < labels.length; p++) {
    const label = labels[p];
    if (label === 0) continue;
    if (renumbered[label] === 0) {
      if (areas[label] < minArea) renumbered[label] = -1;
      else {
        kept.push(label);
        renumbered[label] = kept.length;
      }
    }
    labels[p] = Math.max(0, renumbered[label]);
  }
  return kept;
}

/** Background regions that touch one object only, and not the border, become part of it. */
function fillOwnHoles(labels: Int32Array, width: number, height: number): void {
  const seen = new Uint8Array(labels.length);
  const queue = new Int32Array(labels.length);
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] || seen[start]) continue;
    let end = 0;
    let owner = 0;
    let enclosed = true;
    queue[end++] = start;
    seen[start] = 1;
    for (let at = 0; at < end; at++) {
      const p = queue[at];
      const x = p % width;
      const y = (p / width) | 0;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) enclosed = false;
      for (let side = 0; side < 4; side++) {
        let q = -1;
        if (side === 0 && x > 0) q = p - 1;
        else if (side === 1 && x < width - 1) q = p + 1;
        else if (side === 2 && y > 0) q = p - width;
        else if (side === 3 && y < height - 1) q = p + width;
        if (q < 0 || seen[q]) continue;
        const label = labels[q];
        if (label === 0) {
          seen[q] = 1;
          queue[end++] = q;
        } else if (owner === 0) owner = label;
        else if (owner !== label) enclosed = false;
      }
    }
    if (enclosed && owner > 0) for (let at = 0; at < end; at++) labels[queue[at]] = owner;
  }
}
