import { pause } from "../../engine/pause.ts";
import { throwIfCancelled } from "../../errors.ts";
import { pickRows } from "@stipple/numerics/dense";
import type { Matrix } from "@stipple/numerics/matrices";
import { findNeighbors, type NeighborOptions } from "@stipple/numerics/neighbors/find-neighbors";
import { Random } from "@stipple/numerics/random";
import { layOut, layOutTask, type LayoutWork } from "./layout/lay-out.ts";
import { placeBySketch } from "./place-by-sketch.ts";

export interface UmapOptions {
  /** Threads, and what cancels. */
  others: NonNullable<NeighborOptions["others"]>;
  neighbors: number;
  minDist: number;
  /** Maximum number of cells embedded directly; other cells are placed among them. */
  maxDirect: number;
  seed: number;
  progress(fraction: number): void;
}

/** With 200 epochs, about a fiftieth fewer neighbors stay near. */
const EPOCHS = 300;
/** How often progress is reported and cancellation checked. */
const POLL_MS = 300;
/** Below this number of cells, the layout is done before a thread would have started. */
const WORTH_THREAD = 4096;

/**
 * Two-dimensional UMAP (McInnes et al. 2018) of the rows of `coordinates` (nCells × nDims) → nCells × 2. Up to
 * `maxDirect` cells are laid out directly; with more, a seeded random sketch is laid out, and every other cell
 * is placed at the distance-weighted mean of its nearest sketched cells. The same seed gives the same result
 * for any number of threads.
 */
export async function umap(
  coordinates: Matrix<Float32Array>,
  options: UmapOptions,
): Promise<Matrix<Float32Array>> {
  const { nRows, nCols } = coordinates;
  const { maxDirect, seed, progress } = options;
  if (nRows <= maxDirect) {
    return { nRows, nCols: 2, data: await embed(coordinates, options, progress) };
  }
  const sketch = sampleRows(nRows, maxDirect, seed);
  const sketched = pickRows(coordinates.data, nCols, sketch);
  const embedding = await embed(
    { nRows: sketch.length, nCols, data: sketched },
    options,
    (fraction) => progress(fraction * 0.7),
  );
  const data = await placeBySketch(
    coordinates,
    { rows: sketch, coordinates: sketched, embedding },
    {
      neighbors: 5,
      seed,
      ...options.others,
      progress: (fraction) => progress(0.7 + 0.3 * fraction),
    },
  );
  return { nRows, nCols: 2, data };
}

/** `count` distinct row numbers, ascending. */
function sampleRows(nRows: number, count: number, seed: number): Uint32Array {
  const rows = Uint32Array.from({ length: nRows }, (_, row) => row);
  const random = new Random(seed);
  for (let i = 0; i < count; i++) {
    const other = i + random.below(nRows - i);
    [rows[i], rows[other]] = [rows[other], rows[i]];
  }
  return rows.slice(0, count).sort();
}

async function embed(
  coordinates: Matrix<Float32Array>,
  options: UmapOptions,
  progress: (fraction: number) => void,
): Promise<Float32Array> {
  const { nRows } = coordinates;
  const { minDist, seed, others } = options;
  const wanted = Math.min(options.neighbors, nRows - 1);
  // With fewer cells there is no neighbor graph to lay out, so their first two components are shown.
  if (wanted < 3) return leadingColumns(coordinates);
  const searched = (done: number): void => progress(0.3 * done);
  const neighbors = await findNeighbors(coordinates, wanted, { ...options, searched });
  throwIfCancelled(others.signal);
  const start = startFromComponents(coordinates, seed);
  const settings = { epochs: EPOCHS, minDist, seed };
  const told = (done: number): void => progress(0.3 + (0.7 * done) / EPOCHS);
  if (nRows >= WORTH_THREAD) {
    return embedInThread(others, { ...neighbors, ...settings, start }, told);
  }
  let looked = performance.now();
  for (const done of layOut(start, neighbors, settings)) {
    if (performance.now() - looked < POLL_MS && done < EPOCHS) continue;
    told(done);
    await pause(others.signal);
    looked = performance.now();
  }
  return start;
}

/** Runs on a worker thread to keep this one free. */
async function embedInThread(
  { tasks, signal }: UmapOptions["others"],
  work: Omit<LayoutWork, "told">,
  progress: (done: number) => void,
): Promise<Float32Array> {
  const told = new Int32Array(new SharedArrayBuffer(4));
  const look = setInterval(() => progress(Atomics.load(told, 0)), POLL_MS);
  try {
    const call = { shared: {}, inputs: [{ ...work, told }] };
    const [embedding] = await tasks.map(layOutTask, call, { signal });
    return embedding;
  } finally {
    clearInterval(look);
  }
}

function leadingColumns({ nRows, nCols, data }: Matrix<Float32Array>): Float32Array<ArrayBuffer> {
  const leading = new Float32Array(nRows * 2);
  for (let i = 0; i < nRows; i++) {
    for (let c = 0; c < Math.min(2, nCols); c++) leading[2 * i + c] = data[i * nCols + c];
  }
  return leading;
}

/** Half the side length of the square of starting positions. */
const HALF_SIDE = 10;
/** Noise that separates cells with identical components. */
const JITTER = 1e-4;

/** Starting positions of the cells: their first two components, scaled to fit and jittered → nCells × 2. */
export function startFromComponents(
  components: Matrix<Float32Array>,
  seed: number,
): Float32Array<ArrayBuffer> {
  const start = leadingColumns(components);
  const most = start.reduce((far, value) => Math.max(far, Math.abs(value)), 1e-12);
  const random = new Random(seed);
  return start.map((value) => value * (HALF_SIDE / most) + JITTER * random.normal());
}
