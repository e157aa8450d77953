import { defineTask } from "@stipple/tasks/task";
import type { Matrix } from "@stipple/numerics/matrices";
import { squaredDistance } from "@stipple/numerics/dense";

/** The sketched cells that all cells are placed among. */
interface PlacingWork {
  cells: Matrix<Float32Array>;
  coordinates: Float32Array;
  embedding: Float32Array;
  regions: { centers: Float32Array; offsets: Uint32Array; members: Uint32Array };
  neighbors: number;
}

/** Number of inverted lists searched for each cell. */
const PROBES = 4;

/** x and y of each cell in a range; runs in a worker thread. */
export function placeRange(
  { cells, coordinates, embedding, regions, neighbors }: PlacingWork,
  { from, to }: { from: number; to: number },
): Float32Array {
  const { nCols } = cells;
  const places = new Float32Array(2 * (to - from));
  const nearestRegions = new Nearest(Math.min(PROBES, regions.centers.length / nCols));
  const nearestCells = new Nearest(neighbors);
  for (let i = from; i < to; i++) {
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
          squaredDistance(cells.data, at, coordinates, member * nCols, nCols),
        );
      }
    }
    let [x, y, total] = [0, 0, 0];
    for (let k = 0; k < nearestCells.count; k++) {
      const member = nearestCells.ids[k];
      const weight = 1 / (nearestCells.distances[k] + 1e-12);
      x += weight * embedding[2 * member];
      y += weight * embedding[2 * member + 1];
      total += weight;
    }
    places[2 * (i - from)] = x / total;
    places[2 * (i - from) + 1] = y / total;
  }
  return places;
}

/** Keeps the k smallest of a stream of distances, in ascending order. */
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

/** Places a range of cells among those of the sketch. */
export const placeCells = defineTask(import.meta.url, placeRange);
