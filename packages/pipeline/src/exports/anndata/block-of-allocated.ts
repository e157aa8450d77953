import { defineTask } from "@stipple/tasks/task";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import {
  expectedCounts,
  type ExpectedCounts,
  type ExpectedParts,
  type RowBlock,
} from "../../model/expected-counts.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";

/** Shared by all blocks of cells. */
export interface AllocatedWork {
  /** Identifies these factors: a thread keeps what it computed from them. */
  key: string;
  parts: ExpectedParts;
  spotCounts: SparseMatrix;
  /** Smallest share of a spot's count to keep, in UMIs. */
  least: number;
}

/** A range of cells, and where to put their entries if buffers are given. */
export interface AllocatedRange {
  from: number;
  to: number;
  buffers: AllocatedBuffers | undefined;
}

/** In memory that threads share: nothing to copy between them, and nothing to garbage-collect. */
export type AllocatedBuffers = Pick<RowBlock, "indices" | "values">;

/** Room for more entries than this block's, so that the next block fits as well. */
const SPARE = 1.25;

let held: { key: string; expected: ExpectedCounts } | null = null;

/** Runs in a worker thread. */
export function allocatedBlock(
  { key, parts, spotCounts, least }: AllocatedWork,
  { from, to, buffers }: AllocatedRange,
): RowBlock {
  if (held?.key !== key) {
    held = { key, expected: expectedCounts({ ...parts, spotCounts: rowsOf(spotCounts) }) };
  }
  const { lengths, indices, values } = held.expected.rows(from, to, least);
  const n = indices.length;
  const into = buffers && buffers.indices.length >= n ? buffers : newBuffers(Math.ceil(SPARE * n));
  into.indices.set(indices);
  into.values.set(values);
  return { lengths, indices: into.indices.subarray(0, n), values: into.values.subarray(0, n) };
}

function newBuffers(length: number): AllocatedBuffers {
  const bytes = (): SharedArrayBuffer => new SharedArrayBuffer(4 * length);
  return { indices: new Int32Array(bytes()), values: new Float32Array(bytes()) };
}

/** Computes the expected counts of a range of cells. */
export const blockOfAllocated = defineTask(import.meta.url, allocatedBlock);
