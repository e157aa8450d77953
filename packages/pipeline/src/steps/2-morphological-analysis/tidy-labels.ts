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
  // Stretches of background within a row, by their first pixel; those that touch are of one region.
  let [starts, ends] = [new Int32Array(1024), new Int32Array(1024)];
  let [n, row] = [0, 0];
  const region: number[] = [];
  const rootOf = (run: number): number => {
    while (region[run] !== run) run = region[run] = region[region[run]];
    return run;
  };
  const reachesBorder: boolean[] = [];
  for (let y = 0; y < height; y++) {
    const lastRow = row;
    row = n;
    const end = (y + 1) * width;
    for (let p = y * width; p < end; p++) {
      if (labels[p]) continue;
      const start = p;
      while (p < end && labels[p] === 0) p++;
      if (n === starts.length) [starts, ends] = [longer(starts), longer(ends)];
      starts[n] = start;
      ends[n] = p;
      region.push(n);
      reachesBorder.push(y === 0 || y === height - 1 || start === end - width || p === end);
      n++;
    }
    let above = lastRow;
    for (let run = row; run < n; run++) {
      while (above < row && ends[above] + width <= starts[run]) above++;
      for (let other = above; other < row && starts[other] + width < ends[run]; other++) {
        const [a, b] = [rootOf(other), rootOf(run)];
        if (a === b) continue;
        region[b] = a;
        reachesBorder[a] ||= reachesBorder[b];
      }
    }
  }
  /** Of regions inside the image: the object around, −1 where there are several. */
  const owners = new Map<number, number>();
  const holes: number[] = [];
  for (let run = 0; run < n; run++) {
    const own = rootOf(run);
    if (reachesBorder[own]) continue;
    holes.push(run);
    const touch = (label: number): void => {
      if (label === 0) return;
      const owner = owners.get(own) ?? label;
      owners.set(own, owner === label ? label : -1);
    };
    touch(labels[starts[run] - 1]);
    touch(labels[ends[run]]);
    for (let p = starts[run]; p < ends[run]; p++) {
      touch(labels[p - width]);
      touch(labels[p + width]);
    }
  }
  for (const run of holes) {
    const owner = owners.get(rootOf(run)) ?? -1;
    if (owner > 0) labels.fill(owner, starts[run], ends[run]);
  }
}

function longer(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * values.length);
  more.set(values);
  return more;
}
