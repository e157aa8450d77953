import KDBush from "kdbush";
import { pauses, type Work } from "../spatial-statistics/work.ts";

/** The cells around each cell, as rows of a sparse matrix, with two Gaussian distance weights. */
export interface Surroundings {
  n: number;
  offsets: Uint32Array;
  cells: Uint32Array;
  /** Weights for neighborhood means; a cell's own weight is 1. */
  wide: Float32Array;
  /** Weights for the pull of neighbors toward the same domain. */
  narrow: Float32Array;
}

/**
 * Standard deviations and cutoff, in median edge lengths of the neighbor graph (about 16 µm in dense tissue).
 */
const WIDE = 1.2;
const NARROW = 0.9;
const REACH = 3;

/** `xy`: interleaved x, y, in the same unit as `spacing`. O(n · (log n + neighbors)). */
export async function surroundings(
  xy: Float64Array,
  spacing: number,
  work: Work,
): Promise<Surroundings> {
  const n = xy.length / 2;
  const pause = pauses(work);
  const tree = new KDBush(Math.max(1, n));
  for (let i = 0; i < n; i++) tree.add(xy[2 * i], xy[2 * i + 1]);
  if (n === 0) tree.add(0, 0);
  tree.finish();
  const offsets = new Uint32Array(n + 1);
  let cells = new Uint32Array(32 * n + 1024);
  let squared = new Float32Array(cells.length);
  let count = 0;
  for (let i = 0; i < n; i++) {
    await pause();
    const [x, y] = [xy[2 * i], xy[2 * i + 1]];
    const around = tree.within(x, y, REACH * spacing);
    if (count + around.length > cells.length) {
      [cells, squared] = [grown(cells, Uint32Array), grown(squared, Float32Array)];
    }
    for (const other of around) {
      if (other === i) continue;
      cells[count] = other;
      squared[count++] = (xy[2 * other] - x) ** 2 + (xy[2 * other + 1] - y) ** 2;
    }
    offsets[i + 1] = count;
  }
  const weights = (deviation: number): Float32Array => {
    const scale = -1 / (2 * (deviation * spacing) ** 2);
    return squared.subarray(0, count).map((d) => Math.exp(d * scale));
  };
  return { n, offsets, cells: cells.slice(0, count), wide: weights(WIDE), narrow: weights(NARROW) };
}

function grown<T extends Uint32Array | Float32Array>(array: T, Type: new (length: number) => T): T {
  const larger = new Type(Math.ceil(array.length * 1.5) + 4096);
  larger.set(array);
  return larger;
}

/** The surroundings restricted to the chosen cells, renumbered in the order of `chosen`. */
export function among(all: Surroundings, chosen: Uint32Array): Surroundings {
  const place = new Int32Array(all.n).fill(-1);
  chosen.forEach((cell, at) => (place[cell] = at));
  const offsets = new Uint32Array(chosen.length + 1);
  const kept: number[] = [];
  chosen.forEach((cell, at) => {
    for (let e = all.offsets[cell]; e < all.offsets[cell + 1]; e++) {
      if (place[all.cells[e]] >= 0) kept.push(e);
    }
    offsets[at + 1] = kept.length;
  });
  return {
    n: chosen.length,
    offsets,
    cells: Uint32Array.from(kept, (e) => place[all.cells[e]]),
    wide: Float32Array.from(kept, (e) => all.wide[e]),
    narrow: Float32Array.from(kept, (e) => all.narrow[e]),
  };
}

/** Weighted mean over each cell and the cells around it, for each column of `values` (n × width). */
export function neighborhoodMeans(
  { n, offsets, cells, wide }: Surroundings,
  values: Float32Array,
  width: number,
): Float32Array<ArrayBuffer> {
  const means = new Float32Array(n * width);
  const sum = new Float64Array(width);
  for (let i = 0; i < n; i++) {
    let total = 1;
    for (let c = 0; c < width; c++) sum[c] = values[i * width + c];
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const weight = wide[e];
      const from = cells[e] * width;
      total += weight;
      for (let c = 0; c < width; c++) sum[c] += weight * values[from + c];
    }
    for (let c = 0; c < width; c++) means[i * width + c] = sum[c] / total;
  }
  return means;
}
