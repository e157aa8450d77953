import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { traceAreas } from "@stipple/numerics/trace-areas";
import type { ImageSize } from "./read-regions.ts";

/** A piece of tissue that lies apart from the others, as a region around its spots. */
export interface Piece extends DrawnRegion {
  nSpots: number;
}

/** Pieces lie at least this far apart, µm, or this many distances between neighboring spots. */
const [GAP_UM, GAP_PITCHES] = [250, 2.5];
/** A piece has at least this area, mm², and this share of the largest one's spots; what is smaller is debris. */
const [MIN_MM2, MIN_SHARE] = [0.1, 0.05];
/**
 * The pieces of tissue on a slide, told apart by gaps between its spots, from top to bottom and left to right; empty if
 * there is only one. Debris belongs to the piece nearest to it. O(spots + squares).
 * @param x, y full-resolution pixels of the spots in tissue
 */
export function findPieces(
  x: Float64Array,
  y: Float64Array,
  { pitchUm, micronsPerPixel }: { pitchUm: number; micronsPerPixel: number },
  image: ImageSize,
): Piece[] {
  const side = Math.max(GAP_UM, GAP_PITCHES * pitchUm) / micronsPerPixel / PER_GAP;
  const grid = gridOf(x, y, side);
  if (grid === null) return [];
  const parts = labelParts(grid);
  const large = largeParts(parts, MIN_MM2 / (pitchUm / 1000) ** 2);
  if (large.size < 2) return [];
  joinDebris(grid, large);
  const nSpots = new Map<number, number>();
  grid.counts.forEach((count, square) => {
    const label = grid.labels[square];
    if (count > 0) nSpots.set(label, (nSpots.get(label) ?? 0) + count);
  });
  spread(grid);
  const place = (value: number, axis: 0 | 1): number => {
    const px = value * side + grid.origin[axis];
    const most = image ? [image.width, image.height][axis] : Infinity;
    return Math.round(100 * Math.min(most, image ? Math.max(0, px) : px)) / 100;
  };
  const pieces = [...traceAreas(grid.labels, grid.width, grid.height)].map(([label, polygons]) => ({
    kind: null,
    color: null,
    nSpots: nSpots.get(label) ?? 0,
    polygons: polygons.map((rings) =>
      rings.map((ring) => ring.map((value, at) => place(value, at % 2 === 0 ? 0 : 1))),
    ),
  }));
  return inReadingOrder(pieces).map((piece, at) => ({ ...piece, name: `Piece ${at + 1}` }));
}

function largeParts(parts: ReadonlyMap<number, number>, minSpots: number): Set<number> {
  const most = Math.max(0, ...parts.values());
  const isLarge = (spots: number): boolean => spots >= minSpots && spots >= MIN_SHARE * most;
  return new Set([...parts].filter(([, spots]) => isLarge(spots)).map(([label]) => label));
}

/** Row by row: a piece whose middle lies below half of the row's first piece begins another row. */
function inReadingOrder<T extends Pick<DrawnRegion, "polygons">>(pieces: readonly T[]): T[] {
  const placed = pieces
    .map((piece) => {
      const outlines = piece.polygons.map(([outline]) => outline);
      const of = (axis: number): number[] =>
        outlines.flatMap((ring) => [...ring.filter((_, at) => at % 2 === axis)]);
      const [xs, ys] = [of(0), of(1)];
      const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
      return { piece, left: Math.min(...xs), middle: (top + bottom) / 2, half: (bottom - top) / 2 };
    })
    .sort((a, b) => a.middle - b.middle);
  const rows: (typeof placed)[] = [];
  for (const one of placed) {
    const first = rows.at(-1)?.[0];
    if (first && one.middle < first.middle + first.half) rows.at(-1)!.push(one);
    else rows.push([one]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.left - b.left).map(({ piece }) => piece));
}

/** Squares per gap and side of the grid on which pieces are found. */
const PER_GAP = 5;
/** More squares are no slide. */
const MAX_SQUARES = 4_000_000;

/** Spots by square, and the parts that the squares belong to. */
interface Grid {
  labels: Int32Array;
  /** Spots in each square. */
  counts: Uint32Array;
  width: number;
  height: number;
}

/** Spots by square, with a margin of a gap; null without spots, or if they are strewn too widely. */
function gridOf(
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
function labelParts({ labels, counts, width }: Grid): Map<number, number> {
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
function joinDebris({ labels, width }: Grid, large: ReadonlySet<number>): void {
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
function spread(grid: Grid): void {
  const steps = stepsWithin(PER_GAP / 2, grid.width);
  const before = grid.labels.slice();
  for (let square = 0; square < before.length; square++) {
    if (before[square] > 0) continue;
    const from = steps.find((step) => before[square + step] > 0);
    if (from !== undefined) grid.labels[square] = before[square + from];
  }
}
