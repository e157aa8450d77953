import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { traceAreas } from "@stipple/numerics/trace-areas";
import { gridOf, joinDebris, labelParts, PER_GAP, spread } from "./piece-grid.ts";
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

function largeParts(parts: ReadonlyMap<number, number>, leastSpots: number): Set<number> {
  const most = Math.max(0, ...parts.values());
  const isLarge = (spots: number): boolean => spots >= leastSpots && spots >= MIN_SHARE * most;
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
