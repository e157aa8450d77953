import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix } from "../../fields.ts";
import { Random } from "../../numerics/random.ts";

export interface Sketch {
  /** Row numbers of the sketched cells. */
  rows: Uint32Array;
  /** Their coordinates, nSketch × nDims. */
  coordinates: Float32Array;
  /** Their embedding, nSketch × 2. */
  embedding: Float32Array;
}

/** Lists of neighboring cells that are searched for each cell. */
const PROBES = 4;

/**
 * Places every cell at the mean of its nearest sketched cells' embedding, weighted by 1/d² → nCells × 2.
 * Neighbors are looked for in the four nearest of √nSketch cells' Voronoi regions (inverted file):
 * O(nCells · √nSketch · nDims).
 */
export async function placeBySketch(
  cells: Matrix<Float32Array>,
  sketch: Sketch,
  options: {
    neighbors: number;
    seed: number;
    signal: AbortSignal;
    progress(fraction: number): void;
  },
): Promise<Float32Array> {
  const { nRows, nCols } = cells;
  const regions = divide(sketch.coordinates, nCols, options.seed);
  const placed = new Float32Array(nRows * 2);
  const nearestRegions = new Nearest(Math.min(PROBES, regions.centers.length / nCols));
  const nearestCells = new Nearest(options.neighbors);
  for (let i = 0; i < nRows; i++) {
    if (i % 4096 === 0) {
      options.progress(i / nRows);
      await setImmediate();
      throwIfCancelled(options.signal);
    }
    const at = i * nCols;
    nearestRegions.clear();
    for (let region = 0; region * nCols < regions.centers.length; region++) {
      nearestRegions.offer(
        region,
        squaredDistance(cells.data, at, regions.centers, region * nCols, nCols),
      );
    }
    nearestCells.clear();
    for (let r = 0; r < nearestRegions.count; r++) {
      const region = nearestRegions.ids[r];
      for (let k = regions.offsets[region]; k < regions.offsets[region + 1]; k++) {
        const member = regions.members[k];
        nearestCells.offer(
          member,
          squaredDistance(cells.data, at, sketch.coordinates, member * nCols, nCols),
        );
      }
    }
    let [x, y, total] = [0, 0, 0];
    for (let k = 0; k < nearestCells.count; k++) {
      const member = nearestCells.ids[k];
      const weight = 1 / (nearestCells.distances[k] + 1e-12);
      x += weight * sketch.embedding[2 * member];
      y += weight * sketch.embedding[2 * member + 1];
      total += weight;
    }
    placed[2 * i] = x / total;
    placed[2 * i + 1] = y / total;
  }
  sketch.rows.forEach((row, i) => {
    placed[2 * row] = sketch.embedding[2 * i];
    placed[2 * row + 1] = sketch.embedding[2 * i + 1];
  });
  return placed;
}

/** Voronoi regions of √n randomly chosen points; their members lie one region after the other. */
function divide(
  points: Float32Array,
  nCols: number,
  seed: number,
): { centers: Float32Array; offsets: Uint32Array; members: Uint32Array } {
  const n = points.length / nCols;
  const nRegions = Math.max(1, Math.round(Math.sqrt(n)));
  const random = new Random(seed + 1);
  const centers = new Float32Array(nRegions * nCols);
  for (let region = 0; region < nRegions; region++) {
    const row = random.below(n);
    centers.set(points.subarray(row * nCols, (row + 1) * nCols), region * nCols);
  }
  const regionOf = new Uint32Array(n);
  const offsets = new Uint32Array(nRegions + 1);
  for (let i = 0; i < n; i++) {
    let least = Infinity;
    for (let region = 0; region < nRegions; region++) {
      const distance = squaredDistance(points, i * nCols, centers, region * nCols, nCols);
      if (distance < least) {
        least = distance;
        regionOf[i] = region;
      }
    }
    offsets[regionOf[i] + 1] += 1;
  }
  for (let region = 0; region < nRegions; region++) offsets[region + 1] += offsets[region];
  const next = offsets.slice();
  const members = new Uint32Array(n);
  for (let i = 0; i < n; i++) members[next[regionOf[i]]++] = i;
  return { centers, offsets, members };
}

/** The few smallest of a stream of distances, ascending. */
class Nearest {
  readonly ids: Uint32Array;
  readonly distances: Float64Array;
  count = 0;

  constructor(capacity: number) {
    this.ids = new Uint32Array(capacity);
    this.distances = new Float64Array(capacity);
  }

  clear(): void {
    this.count = 0;
  }

  offer(id: number, distance: number): void {
    const full = this.count === this.ids.length;
    if (full && distance >= this.distances[this.count - 1]) return;
    let at = full ? this.count - 1 : this.count++;
    for (; at > 0 && this.distances[at - 1] > distance; at--) {
      this.ids[at] = this.ids[at - 1];
      this.distances[at] = this.distances[at - 1];
    }
    this.ids[at] = id;
    this.distances[at] = distance;
  }
}

function squaredDistance(
  a: Float32Array,
  aAt: number,
  b: Float32Array,
  bAt: number,
  n: number,
): number {
  let sum = 0;
  for (let j = 0; j < n; j++) {
    const difference = a[aAt + j] - b[bAt + j];
    sum += difference * difference;
  }
  return sum;
}
