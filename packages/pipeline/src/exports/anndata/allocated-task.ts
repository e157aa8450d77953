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

/** A range of cells, and where their entries are put when there is room. */
export interface AllocatedRange {
  from: number;
  to: number;
  room: AllocatedRoom | undefined;
}

/** In memory that threads share: nothing is copied between them, and nothing left to be collected. */
export type AllocatedRoom = Pick<RowBlock, "indices" | "values">;

/** Computes the expected counts of a range of cells. */
export const blockOfAllocated = defineTask<AllocatedWork, AllocatedRange, RowBlock>(
  "block-of-allocated",
  new URL("./allocated-worker.ts", import.meta.url),
);
