import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "../../fields.ts";
import type { ExpectedParts, RowBlock } from "../../model/expected-counts.ts";

/** What all blocks of cells have in common. */
export interface AllocatedWork {
  /** Names these factors: a thread keeps what it made of them. */
  key: string;
  parts: ExpectedParts;
  spotCounts: SparseMatrix;
  /** Least share of a spot's count that is kept, in UMIs. */
  least: number;
}

/** Computes the expected counts of a range of cells. */
export const blockOfAllocated = defineTask<AllocatedWork, { from: number; to: number }, RowBlock>(
  "block-of-allocated",
  new URL("./allocated-worker.ts", import.meta.url),
);
