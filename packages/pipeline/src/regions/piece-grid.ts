/** Squares per gap and side of the grid on which pieces are found. */
export const PER_GAP = 5;
/** More squares are no slide. */
const MAX_SQUARES = 4_000_000;

/** Spots by square, and the parts that the squares belong to. */
export interface Grid {
  labels: Int32Array;
  /** Spots in each square. */
  counts: Uint32Array;
  width: number;
  height: number;
}

/** Spots by square, with a margin of a gap; null without spots, or if they are strewn too widely. */
export function gridOf(
  x: Float64Array,
  y: Float64Array,
  side: number,
): (Grid & { origin: [number, number] }) | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let spot = 0; spot < x.length; spot++) {
    left = Math.min(left, x[spot]);
    right = Math.max(right, x[spot]);
    top = Math.min(top, y[spot]);
    bottom = Math.max(bottom, y[spot]);
  }
  const origin: [number, number] = [left - PER_GAP * side, top - PER_GAP * side];
  const width = Math.ceil((right - left) / side) + 2 * PER_GAP + 1;
  const height = Math.ceil((bottom - top) / side) + 2 * PER_GAP + 1;
  if (!(width * height <= MAX_SQUARES)) return null;
  const counts = new Uint32Array(width * height);
  for (let spot = 0; spot < x.length; spot++) {
    const [column, row] = [(x[spot] - origin[0]) / side, (y[spot] - origin[1]) / side];
    counts[Math.floor(row) * width + Math.floor(column)] += 1;
  }
  return { labels: new Int32Array(width * height), counts, width, height, origin };
}

/** Steps to the squares within a distance, nearest first. */
function stepsWithin(squares: number, width: number): number[] {
  const steps: { step: number; distance: number }[] = [];
  for (let dy = -PER_GAP; dy <= PER_GAP; dy++) {
    for (let dx = -PER_GAP; dx <= PER_GAP; dx++) {
      const distance = Math.hypot(dx, dy);
      if (distance > 0 && distance <= squares) steps.push({ step: dy * width + dx, distance });
    }
  }
  return steps.sort((a, b) => a.distance - b.distance).map(({ step }) => step);
}

/** Numbers the parts whose spots lie less than a gap apart, from 1. Returns their spots by number. */
export function labelParts({ labels, counts, width }: Grid): Map<number, number> {
  const steps = stepsWithin(PER_GAP, width);
  const spots = new Map<number, number>();
  for (let start = 0; start < labels.length; start++) {
    if (counts[start] === 0 || labels[start] > 0) continue;
    const label = spots.size + 1;
    const waiting = [start];
    labels[start] = label;
    let sum = 0;
    for (let square = waiting.pop(); square !== undefined; square = waiting.pop()) {
      sum += counts[square];
      for (const step of steps) {
        const next = square + step;
        if (counts[next] === 0 || labels[next] > 0) continue;
        labels[next] = label;
        waiting.push(next);
      }
    }
    spots.set(label, sum);
  }
  return spots;
}

/** Gives the squares of small parts to the nearest large one. */
export function joinDebris({ labels, width }: Grid, large: ReadonlySet<number>): void {
  const squares = [...labels.keys()].filter((square) => large.has(labels[square]));
  const row = (square: number): number => Math.floor(square / width);
  const apart = (a: number, b: number): number =>
    ((a % width) - (b % width)) ** 2 + (row(a) - row(b)) ** 2;
  const joined = [...labels.keys()]
    .filter((square) => labels[square] > 0 && !large.has(labels[square]))
    .map((square) => {
      const nearest = squares.reduce((a, b) => (apart(b, square) < apart(a, square) ? b : a));
      return [square, labels[nearest]];
    });
  for (const [square, label] of joined) labels[square] = label;
}

/** Lets every part reach half a gap beyond its spots. */
export function spread(grid: Grid): void {
  const steps = stepsWithin(PER_GAP / 2, grid.width);
  const before = grid.labels.slice();
  for (let square = 0; square < before.length; square++) {
    if (before[square] > 0) continue;
    const from = steps.find((step) => before[square + step] > 0);
    if (from !== undefined) grid.labels[square] = before[square + from];
  }
}
