import { rangesOf } from "@stipple/numerics/ranges";
import { randomUUID } from "node:crypto";
import type { Tasks } from "@stipple/tasks/task";
import { pause } from "../../engine/pause.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { ExpectedCounts, RowBlock } from "../../model/expected-counts.ts";
import { blockOfAllocated, type AllocatedBuffers } from "./block-of-allocated.ts";
import type { AnnDataTarget } from "./target.ts";

/**
 * Maximum number of cells computed at a time. They are mostly neighbors, so few spots have cells in two blocks and are
 * divided twice.
 */
const MAX_CELLS = 8192;
/** Minimum number of blocks, so that no thread waits long for the last one. */
const MIN_BLOCKS = 12;
/** Fewer shares than this are computed before a thread would have started. */
const WORTH_THREADS = 1 << 24;

/**
 * Writes layers/allocated to every target: the expected allocation, with at most about `maxEntries` values, computed on
 * threads if it is large enough. Returns the smallest share of a spot's count that was kept, in UMIs; 0 if all were.
 */
export async function writeAllocated(
  expected: ExpectedCounts,
  targets: readonly AnnDataTarget[],
  options: {
    maxEntries: number;
    signal: AbortSignal;
    progress(fraction: number): void;
    tasks: Tasks;
    spotCounts: SparseMatrix;
  },
): Promise<number> {
  const { nCells, nGenes } = expected;
  const least = expected.thresholdFor(options.maxEntries);
  const layers = targets.map((target) => target.csr("layers/allocated", nCells, nGenes, "<f"));
  let done = 0;
  for await (const { lengths, indices, values } of blocksOf(expected, least, options)) {
    for (const layer of layers) await layer.append(lengths, indices, values);
    done += lengths.length;
    options.progress(done / nCells);
    await pause(options.signal);
  }
  for (const layer of layers) await layer.finish();
  return least;
}

/** Blocks of cells in order. */
async function* blocksOf(
  expected: ExpectedCounts,
  least: number,
  { tasks, spotCounts, signal }: Parameters<typeof writeAllocated>[2],
): AsyncGenerator<RowBlock> {
  const { nCells, parts } = expected;
  const size = Math.max(1, Math.min(MAX_CELLS, Math.ceil(nCells / MIN_BLOCKS)));
  const ranges = rangesOf(nCells, size);
  if (tasks.isWorth(sharesIn(parts.sharing, spotCounts), WORTH_THREADS)) {
    const shared = { key: randomUUID(), parts, spotCounts, least };
    // Twice as many blocks as threads are under way; each reuses the memory of a block already written, once there is
    // one.
    const buffers: AllocatedBuffers[] = [];
    const nBuffers = 2 * tasks.parallel;
    const inputs = {
      length: ranges.length,
      at: (index: number) => ({ ...ranges[index], buffers: buffers[index % nBuffers] }),
    };
    let index = 0;
    for await (const block of tasks.inOrder(blockOfAllocated, { shared, inputs }, { signal })) {
      buffers[index++ % nBuffers] = wholeBuffers(block);
      yield block;
    }
    return;
  }
  for (const { from, to } of ranges) yield expected.rows(from, to, least);
}

/** All of a block's buffers. */
function wholeBuffers({ indices, values }: RowBlock): AllocatedBuffers {
  return { indices: new Int32Array(indices.buffer), values: new Float32Array(values.buffer) };
}

/** Pairs of a cell and a gene counted in one of its spots. */
function sharesIn(sharing: SparseMatrix, counts: SparseMatrix): number {
  let sum = 0;
  for (let spot = 0; spot < sharing.nRows; spot++) {
    sum +=
      (sharing.indptr[spot + 1] - sharing.indptr[spot]) *
      (counts.indptr[spot + 1] - counts.indptr[spot]);
  }
  return sum;
}
