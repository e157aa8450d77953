/** A made-up tissue for illustrations, in a box of 1 × 1: the same seed always gives the same picture. */
export interface Scene {
  /** Outline of the tissue. */
  outline: readonly Point[];
  spots: readonly Spot[];
  cells: readonly Cell[];
}

export interface Point {
  x: number;
  y: number;
}

export interface Spot extends Point {
  radius: number;
  /** Number of cells of each type under the spot. */
  counts: readonly number[];
}

export interface Cell extends Point {
  type: number;
  /** Corners around the center. */
  corners: readonly Point[];
  nucleusRadius: number;
  /** Center of the nearest spot, out of which the cell emerges. */
  from: Point;
}

export const CELL_TYPES = 6;

const SPOT_PITCH = 0.098;
const SPOT_RADIUS = 0.034;
const CELL_DISTANCE = 0.0245;

/** Numbers in [0, 1) from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function edgeRadius(angle: number): number {
  return (
    0.43 *
    (1 +
      0.1 * Math.sin(2 * angle + 0.6) +
      0.06 * Math.sin(3 * angle + 2.1) +
      0.03 * Math.sin(5 * angle))
  );
}

/** 0 at the tissue's center, 1 at its edge, more outside. */
export function depthOf({ x, y }: Point): number {
  return Math.hypot(x - 0.5, y - 0.5) / edgeRadius(Math.atan2(y - 0.5, x - 0.5));
}

/** Layers from the center outward, plus one patch of its own type and a few stray cells. */
function typeAt(point: Point, random: () => number): number {
  if (random() < 0.13) return Math.floor(random() * CELL_TYPES);
  if (Math.hypot(point.x - 0.66, point.y - 0.4) < 0.12 + 0.02 * random()) return 5;
  const depth = depthOf(point) + 0.07 * Math.sin(9 * point.x + 7 * point.y) + 0.06 * random();
  if (depth < 0.34) return 0;
  if (depth < 0.58) return 1;
  if (depth < 0.8) return 2;
  return depth < 0.98 ? 3 : 4;
}

/**
 * Random points inside the tissue at a minimum distance from each other; O(tries), using a grid with at most one point
 * per box.
 */
function scatter(random: () => number): Point[] {
  const side = CELL_DISTANCE / Math.SQRT2;
  // Two empty boxes on every side make checks at the border unnecessary.
  const columns = Math.ceil(1 / side) + 4;
  const grid = new Int16Array(columns * columns).fill(-1);
  const points: Point[] = [];
  for (let tries = 0; tries < 30_000; tries += 1) {
    const point = { x: random(), y: random() };
    if (depthOf(point) > 0.985) continue;
    const box = (Math.floor(point.y / side) + 2) * columns + Math.floor(point.x / side) + 2;
    let free = true;
    for (let dy = -2; dy <= 2 && free; dy += 1) {
      for (let dx = -2; dx <= 2 && free; dx += 1) {
        const near = points[grid[box + dy * columns + dx] ?? -1];
        free = !near || Math.hypot(near.x - point.x, near.y - point.y) >= CELL_DISTANCE;
      }
    }
    if (free) grid[box] = points.push(point) - 1;
  }
  return points;
}

function spotCenters(): Point[] {
  const centers: Point[] = [];
  const rowHeight = (SPOT_PITCH * Math.sqrt(3)) / 2;
  for (let row = 0; row * rowHeight < 1; row += 1) {
    const shift = row % 2 === 0 ? 0 : SPOT_PITCH / 2;
    for (let x = SPOT_PITCH / 4 + shift; x < 1; x += SPOT_PITCH) {
      const point = { x, y: rowHeight * (row + 0.4) };
      if (depthOf(point) < 1.02) centers.push(point);
    }
  }
  return centers;
}

function nearest(point: Point, candidates: readonly Point[]): number {
  let best = 0;
  let bestDistance = Infinity;
  candidates.forEach((candidate, at) => {
    const distance = Math.hypot(candidate.x - point.x, candidate.y - point.y);
    if (distance < bestDistance) [best, bestDistance] = [at, distance];
  });
  return best;
}

/** Builds the scene: about 900 cells under about 90 spots. */
export function tissueScene(seed: number): Scene {
  const random = seeded(seed);
  const centers = spotCenters();
  const counts = centers.map(() => new Array<number>(CELL_TYPES).fill(0));
  const cells = scatter(random).map((point): Cell => {
    const type = typeAt(point, random);
    const home = nearest(point, centers);
    const from = centers[home] ?? point;
    const under = counts[home];
    if (under) under[type] = (under[type] ?? 0) + 1;
    const turn = random() * Math.PI;
    const corners = Array.from({ length: 7 }, (_, corner) => {
      const angle = turn + (corner / 7) * 2 * Math.PI;
      const radius = CELL_DISTANCE * (0.56 + 0.14 * random());
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
    });
    return {
      ...point,
      type,
      corners,
      nucleusRadius: CELL_DISTANCE * (0.18 + 0.08 * random()),
      from,
    };
  });
  return {
    outline: Array.from({ length: 120 }, (_, at) => {
      const angle = (at / 120) * 2 * Math.PI;
      const radius = edgeRadius(angle) * 1.04;
      return { x: 0.5 + radius * Math.cos(angle), y: 0.5 + radius * Math.sin(angle) };
    }),
    spots: centers.map((center, at) => ({
      ...center,
      radius: SPOT_RADIUS,
      counts: counts[at] ?? [],
    })),
    cells,
  };
}
