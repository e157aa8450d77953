import { inStretches } from "@stipple/numerics/in-stretches";
import { release } from "@stipple/numerics/release";

/**
 * Reduces every labeled object to one 4-connected piece without holes (keeps its largest piece and fills holes that
 * contain no other object), drops those smaller than `minArea` px, and renumbers the rest 1 … n in order of their first
 * pixel. Works in place; returns the old label of each new one. O(pixels).
 */
export function tidyLabels(
  labels: Int32Array,
  width: number,
  height: number,
  count: number,
  minArea: number,
): number[] {
  const found: Pieces = {
    labels,
    width,
    piece: new Int32Array(labels.length),
    n: 0,
    best: new Int32Array(count + 1),
    bestArea: new Int32Array(count + 1),
    queue: new Int32Array(labels.length),
  };
  inStretches(labels.length, (from, to) => findPieces(found, from, to));
  inStretches(labels.length, (from, to) => dropSmallPieces(found, from, to));
  release(found.piece);
  release(found.queue);
  fillOwnHoles(labels, width, height);
  const areas = new Int32Array(count + 1);
  const renumbered = new Int32Array(count + 1);
  const kept: number[] = [];
  inStretches(labels.length, (from, to) => addAreas(areas, labels, from, to));
  inStretches(labels.length, (from, to) =>
    renumber({ labels, areas, minArea, renumbered, kept }, from, to),
  );
  return kept;
}

/** Connected pieces of one label, numbered from 1. */
interface Pieces {
  labels: Int32Array;
  width: number;
  /** Piece of each pixel; 0 = none. */
  piece: Int32Array;
  n: number;
  /** The largest piece of each label, and its pixels. */
  best: Int32Array;
  bestArea: Int32Array;
  /** Scratch space, as long as the image. */
  queue: Int32Array;
}

function findPieces(found: Pieces, from: number, to: number): void {
  const { labels, piece, best, bestArea } = found;
  for (let p = from; p < to; p++) {
    const label = labels[p];
    if (label === 0 || piece[p] !== 0) continue;
    const area = flood(found, p, ++found.n);
    if (area > bestArea[label]) {
      bestArea[label] = area;
      best[label] = found.n;
    }
  }
}

/** Numbers the piece that a pixel belongs to; returns its pixel count. */
function flood({ labels, width, piece, queue }: Pieces, start: number, number: number): number {
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
}

function dropSmallPieces({ labels, piece, best }: Pieces, from: number, to: number): void {
  for (let p = from; p < to; p++) {
    if (labels[p] && best[labels[p]] !== piece[p]) labels[p] = 0;
  }
}

/** Adds the pixels of a stretch to the areas of their labels. */
export function addAreas(areas: Int32Array, labels: Int32Array, from: number, to: number): void {
  for (let p = from; p < to; p++) areas[labels[p]]++;
}

/** New labels in order of first pixels; −1 = dropped, 0 = not seen yet. */
function renumber(
  objects: {
    labels: Int32Array;
    areas: Int32Array;
    minArea: number;
    renumbered: Int32Array;
    kept: number[];
  },
  from: number,
  to: number,
): void {
  const { labels, areas, minArea, renumbered, kept } = objects;
  for (let p = from; p < to; p++) {
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
}

/** Assigns background regions that touch only one object and not the image border to that object. O(pixels). */
function fillOwnHoles(labels: Int32Array, width: number, height: number): void {
  const runs: Runs = {
    starts: new Int32Array(1024),
    ends: new Int32Array(1024),
    n: 0,
    row: 0,
    region: [],
    reachesBorder: [],
  };
  for (let y = 0; y < height; y++) addRuns(runs, labels, { width, height }, y);
  const { starts, ends, n, region, reachesBorder } = runs;
  const owners = new Map<number, number>();
  const holes: number[] = [];
  for (let run = 0; run < n; run++) {
    const own = rootOf(region, run);
    if (reachesBorder[own]) continue;
    holes.push(run);
    touchAround(owners, own, labels, width, starts[run], ends[run]);
  }
  for (const run of holes) {
    const owner = owners.get(rootOf(region, run)) ?? -1;
    if (owner > 0) labels.fill(owner, starts[run], ends[run]);
  }
}

/** Runs of background within a row, stored as first pixel and end (exclusive); touching runs share a region. */
interface Runs {
  starts: Int32Array<ArrayBuffer>;
  ends: Int32Array<ArrayBuffer>;
  n: number;
  /** First run of the previous row. */
  row: number;
  region: number[];
  /** Valid at the root of each region. */
  reachesBorder: boolean[];
}

function rootOf(region: number[], run: number): number {
  while (region[run] !== run) run = region[run] = region[region[run]];
  return run;
}

function addRuns(
  runs: Runs,
  labels: Int32Array,
  { width, height }: { width: number; height: number },
  y: number,
): void {
  const { region, reachesBorder } = runs;
  const lastRow = runs.row;
  const row = runs.n;
  const end = (y + 1) * width;
  for (let p = y * width; p < end; p++) {
    if (labels[p]) continue;
    const start = p;
    while (p < end && labels[p] === 0) p++;
    if (runs.n === runs.starts.length) {
      [runs.starts, runs.ends] = [longer(runs.starts), longer(runs.ends)];
    }
    runs.starts[runs.n] = start;
    runs.ends[runs.n] = p;
    region.push(runs.n);
    reachesBorder.push(y === 0 || y === height - 1 || start === end - width || p === end);
    runs.n++;
  }
  const { starts, ends, n } = runs;
  let above = lastRow;
  for (let run = row; run < n; run++) {
    while (above < row && ends[above] + width <= starts[run]) above++;
    for (let other = above; other < row && starts[other] + width < ends[run]; other++) {
      const [a, b] = [rootOf(region, other), rootOf(region, run)];
      if (a === b) continue;
      region[b] = a;
      reachesBorder[a] ||= reachesBorder[b];
    }
  }
  runs.row = row;
}

/** Records the objects around a run: `owners` holds the only object its region touches, or −1 if there are several. */
function touchAround(
  owners: Map<number, number>,
  region: number,
  labels: Int32Array,
  width: number,
  start: number,
  end: number,
): void {
  touch(owners, region, labels[start - 1]);
  touch(owners, region, labels[end]);
  for (let p = start; p < end; p++) {
    touch(owners, region, labels[p - width]);
    touch(owners, region, labels[p + width]);
  }
}

function touch(owners: Map<number, number>, region: number, label: number): void {
  if (label === 0) return;
  const owner = owners.get(region) ?? label;
  owners.set(region, owner === label ? label : -1);
}

function longer(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * values.length);
  more.set(values);
  return more;
}
