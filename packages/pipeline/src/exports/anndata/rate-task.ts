import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { RateParts } from "../../model/rates.ts";
import type { RateBlock, RateChoice, RateRoom } from "./rate-block.ts";

/** Shared by all blocks of cells. */
export interface RateWork {
  /** Identifies these factors: a thread keeps what it computed from them. */
  key: string;
  parts: RateParts;
  spotCounts: SparseMatrix;
  choices: readonly RateChoice[];
}

/** A range of cells, and where to put their rates. */
export interface RateRange {
  from: number;
  to: number;
  rooms: readonly RateRoom[];
}

/** Computes the rates of a range of cells for every sink. */
export const blockOfRates = defineTask<RateWork, RateRange, RateBlock[]>(
  "block-of-rates",
  new URL("./rate-worker.ts", import.meta.url),
  // Runs ONNX Runtime.
  { isNative: true },
);
