import { rangesOf } from "@stipple/numerics/ranges";
import type { Tasks } from "@stipple/tasks/task";
import type { Matrix } from "@stipple/numerics/matrices";
import { squaredDistance } from "@stipple/numerics/dense";
import { placesByValue } from "@stipple/numerics/places-by-value";
import { Random } from "@stipple/numerics/random";
import { placeCells } from "./place-cells.ts";

export interface Sketch {
  /** Row numbers of the sketched cells. */
  rows: Uint32Array;
  /** Their coordinates, nSketch × nDims. */
  coordinates: Float32Array;
  /** Their embedding, nSketch × 2. */
  embedding: Float32Array;
}

/** Number of cells placed at a time. */
const RANGE = 8192;

/**
 * Places each cell at the mean embedding of its nearest sketched cells, weighted by 1/d² → nCells × 2.
 * Neighbors are searched in the four nearest of √nSketch cells' Voronoi regions (inverted file), on worker
 * threads: O(nCells · √nSketch · nDims).
 */
export async function placeBySketch(
  cells: Matrix<Float32Array>,
  sketch: Sketch,
  options: {
    neighbors: number;
    seed: number;
    tasks: Tasks;
    signal: AbortSignal;
    progress(fraction: number): void;
  },
): Promise<Float32Array> {
  const { nRows, nCols } = cells;
  const { coordinates, embedding } = sketch;
  const regions = divide(coordinates, nCols, options.seed);
  const shared = { cells, coordinates, embedding, regions, neighbors: options.neighbors };
  const placed = new Float32Array(nRows * 2);
  const ranges = rangesOf(nRows, RANGE);
  let done = 0;
  const call = { shared, inputs: ranges };
  for await (const places of options.tasks.inOrder(placeCells, call, options)) {
    placed.set(places, 2 * ranges[done++].from);
    options.progress(done / ranges.length);
  }
  sketch.rows.forEach((row, i) => {
    placed[2 * row] = embedding[2 * i];
    placed[2 * row + 1] = embedding[2 * i + 1];
  });
  return placed;
}

/** Voronoi regions of √n randomly chosen points; their members are stored region by region. */
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
  for (let i = 0; i < n; i++) {
    let least = Infinity;
    for (let region = 0; region < nRegions; region++) {
      const distance = squaredDistance(points, i * nCols, centers, region * nCols, nCols);
      if (distance < least) {
        least = distance;
        regionOf[i] = region;
      }
    }
  }
  const { starts: offsets, places: members } = placesByValue(regionOf, nRegions);
  return { centers, offsets, members };
}
