import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { ExpectedParts, RowBlock } from "../../model/expected-counts.ts";

/** Shared by all blocks of cells. */
export interface AllocatedWork {
  /** Identifies these factors: a thread keeps what it computed from them. */
  key: string;
  parts: ExpectedParts;
  spotCounts: SparseMatrix;
  /** Smallest share of a spot's count to keep, in UMIs. */
  least: number;
}

/** A range of cells, and where to put their entries if there is room. */
export interface AllocatedRange {
  from: number;
  to: number;
  room: AllocatedRoom | undefined;
}

/** In memory that threads share: nothing to copy between them, and nothing to garbage-collect. */
export type AllocatedRoom = Pick<RowBlock, "indices" | "values">;

/** Computes the expected counts of a range of cells. */
export const blockOfAllocated = defineTask<AllocatedWork, AllocatedRange, RowBlock>(
  "block-of-allocated",
  new URL("./allocated-worker.ts", import.meta.url),
);
