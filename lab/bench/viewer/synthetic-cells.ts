import type { Polygons } from "@stipple/numerics/matrices";
import type { Random } from "@stipple/numerics/random";

/** Share of the image's sides left free of cells, so that the tissue itself is visible. */
export const MARGIN = 0.05;

/** None is redder than it is green or blue, so a pixel distinguishes cells from tissue (see synthetic-image.ts). */
const COLORS = [
  "#0072B2",
  "#009E73",
  "#56B4E9",
  "#332288",
  "#117733",
  "#44AA99",
  "#1B6CA8",
  "#2A9D8F",
  "#264653",
  "#5B8DEF",
  "#3B528B",
  "#21908C",
];

export interface SyntheticCells {
  types: { name: string; color: string; count: number }[];
  typeOf: Int32Array;
  /** Full-resolution px. */
  xy: Float32Array;
  umap: Float32Array;
  polygons: Polygons;
}

const REGIONS = 80;
const CORNERS = 14;

/** Cells on a jittered lattice with round outlines, typed by region, a fifth of them at random. O(n · regions). */
export function syntheticCells(n: number, sidePx: number, random: Random): SyntheticCells {
  const columns = Math.ceil(Math.sqrt(n));
  const step = ((1 - 2 * MARGIN) * sidePx) / columns;
  const xy = new Float32Array(2 * n);
  for (let cell = 0; cell < n; cell++) {
    xy[2 * cell] = MARGIN * sidePx + ((cell % columns) + 0.25 + 0.5 * random.uniform()) * step;
    xy[2 * cell + 1] =
      MARGIN * sidePx + (Math.floor(cell / columns) + 0.25 + 0.5 * random.uniform()) * step;
  }
  const centers = Float64Array.from({ length: 2 * REGIONS }, () => random.uniform() * sidePx);
  const typeOf = Int32Array.from({ length: n }, (_, cell) => {
    if (random.uniform() < 0.2) return random.below(COLORS.length);
    return nearest(centers, xy[2 * cell], xy[2 * cell + 1]) % COLORS.length;
  });
  const counts = new Uint32Array(COLORS.length);
  for (const type of typeOf) counts[type] += 1;
  const umap = Float32Array.from({ length: 2 * n }, (_, i) => {
    const angle = (2 * Math.PI * typeOf[i >> 1]) / COLORS.length;
    return 8 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle)) + random.normal();
  });
  return {
    types: COLORS.map((color, type) => ({ name: `Type ${type + 1}`, color, count: counts[type] })),
    typeOf,
    xy,
    umap,
    polygons: roundOutlines(xy, 0.45 * step, random),
  };
}

function nearest(centers: Float64Array, x: number, y: number): number {
  let best = 0;
  let bestSquare = Infinity;
  for (let at = 0; at < centers.length; at += 2) {
    const square = (centers[at] - x) ** 2 + (centers[at + 1] - y) ** 2;
    if (square < bestSquare) [best, bestSquare] = [at / 2, square];
  }
  return best;
}

function roundOutlines(xy: Float32Array, radiusPx: number, random: Random): Polygons {
  const n = xy.length / 2;
  const offsets = Uint32Array.from({ length: n + 1 }, (_, cell) => cell * CORNERS);
  const points = new Float32Array(2 * CORNERS * n);
  for (let cell = 0, at = 0; cell < n; cell++) {
    for (let corner = 0; corner < CORNERS; corner++) {
      const angle = (2 * Math.PI * corner) / CORNERS;
      const radius = radiusPx * (0.8 + 0.2 * random.uniform());
      points[at++] = xy[2 * cell] + radius * Math.cos(angle);
      points[at++] = xy[2 * cell + 1] + radius * Math.sin(angle);
    }
  }
  return { offsets, xy: points };
}
