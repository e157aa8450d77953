import { setImmediate } from "node:timers/promises";
import * as scran from "scran.js";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix } from "../../fields.ts";
import {
  findNeighbors,
  neighborsOf,
  type NeighborOptions,
} from "../../numerics/neighbors/find-neighbors.ts";
import { Random } from "../../numerics/random.ts";
import { layOut } from "./layout-task.ts";
import { embeddingOf } from "./layout-worker.ts";
import { placeBySketch } from "./place-by-sketch.ts";

export interface UmapOptions extends NeighborOptions {
  neighbors: number;
  minDist: number;
  /** Cells that are embedded directly; the others are placed among them. */
  maxDirect: number;
  seed: number;
  signal: AbortSignal;
  progress(fraction: number): void;
}

/** Libscran runs in slices of this length, so that progress shows and a cancellation is heard. */
const SLICE_MS = 400;
/** How often the progress of a thread is looked at. */
const LOOK_MS = 300;
/** Fewer cells than this are laid out before a thread has started. */
const WORTH_THREAD = 4096;

/**
 * Two-dimensional UMAP (McInnes et al. 2018) of the rows of `coordinates` (nCells × nDims) → nCells × 2.
 * Up to `maxDirect` cells are embedded by libscran; of more, a seeded random sketch is, and every other cell is placed
 * at the distance-weighted mean of its nearest sketched cells. The same seed gives the same result for any number of threads.
 */
export async function umap(
  coordinates: Matrix<Float32Array>,
  options: UmapOptions,
): Promise<Matrix<Float32Array>> {
  const { nRows, nCols } = coordinates;
  const { maxDirect, seed, signal, progress } = options;
  if (nRows <= maxDirect) {
    return { nRows, nCols: 2, data: await embed(coordinates, options, progress) };
  }
  const sketch = sampleRows(nRows, maxDirect, seed);
  const sketched = new Float32Array(sketch.length * nCols);
  sketch.forEach((row, i) => {
    sketched.set(coordinates.data.subarray(row * nCols, (row + 1) * nCols), i * nCols);
  });
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
      tasks: options.others?.tasks,
      signal,
      progress: (fraction) => progress(0.7 + 0.3 * fraction),
    },
  );
  return { nRows, nCols: 2, data };
}

/** `count` row numbers without repetition, ascending. */
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
  const { minDist, threads, signal } = options;
  const neighbors = Math.min(options.neighbors, nRows - 1);
  // A neighbor graph of fewer cells has nothing to lay out: their first components are shown as they are.
  if (neighbors < 3) return leadingColumns(coordinates);
  if (options.others && nRows >= WORTH_THREAD) {
    const beside = await embedBeside(coordinates, neighbors, options, progress);
    if (beside) return beside;
  }
  await scran.initialize({ numberOfThreads: threads });
  const held: scran.WasmObject[] = [];
  const keep = <T extends scran.WasmObject>(object: T): T => {
    held.push(object);
    return object;
  };
  try {
    const nearest = keep(await findNeighbors(coordinates, neighbors, options));
    progress(0.3);
    await setImmediate();
    throwIfCancelled(signal);
    const status = keep(
      scran.initializeUmap(nearest, {
        neighbors,
        epochs: epochsFor(nRows),
        minDist,
        numberOfThreads: threads,
      }),
    );
    while (status.currentEpoch() < status.totalEpochs()) {
      status.run({ runTime: SLICE_MS });
      progress(0.3 + (0.7 * status.currentEpoch()) / status.totalEpochs());
      await setImmediate();
      throwIfCancelled(signal);
    }
    return embeddingOf(status);
  } finally {
    for (const object of held.reverse()) object.free();
  }
}

/** By a thread, so that this one is free; null where libscran has to find the neighbors. */
async function embedBeside(
  coordinates: Matrix<Float32Array>,
  neighbors: number,
  { minDist, others, signal }: UmapOptions,
  progress: (fraction: number) => void,
): Promise<Float32Array | null> {
  const found = await neighborsOf(coordinates, neighbors, others, (done) => progress(0.3 * done));
  if (!found) return null;
  progress(0.3);
  const { nRows } = coordinates;
  const epochs = epochsFor(nRows);
  const told = new Int32Array(new SharedArrayBuffer(4));
  const look = setInterval(() => {
    const done = Atomics.load(told, 0);
    // What comes before the first epoch takes as long as a tenth of the rest.
    if (done > 0) progress(0.37 + (0.63 * (done - 1)) / epochs);
  }, LOOK_MS);
  try {
    const work = { ...found, neighbors, epochs, minDist, sliceMs: SLICE_MS, told };
    const laidOut = others!.tasks.inOrder(layOut, { shared: {}, inputs: [work] }, { signal });
    for await (const { embedding } of laidOut) return embedding;
    return null;
  } finally {
    clearInterval(look);
  }
}

/** Small data need more rounds to settle and can afford them; libscran's 500 dominate a run of 50k cells. */
function epochsFor(nCells: number): number {
  return nCells <= 2_000 ? 300 : 200;
}

function leadingColumns({ nRows, nCols, data }: Matrix<Float32Array>): Float32Array {
  const leading = new Float32Array(nRows * 2);
  for (let i = 0; i < nRows; i++) {
    for (let c = 0; c < Math.min(2, nCols); c++) leading[2 * i + c] = data[i * nCols + c];
  }
  return leading;
}
