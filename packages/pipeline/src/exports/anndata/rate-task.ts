import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "../../fields.ts";
import type { RateParts } from "../../model/rates.ts";
import type { RateBlock, RateChoice, RateRoom } from "./rate-block.ts";

/** What all blocks of cells have in common. */
export interface RateWork {
  /** Names these factors: a thread keeps what it made of them. */
  key: string;
  parts: RateParts;
  spotCounts: SparseMatrix;
  choices: readonly RateChoice[];
}

/** A range of cells, and where their rates are put. */
export interface RateRange {
  from: number;
  to: number;
  rooms: readonly RateRoom[];
}

/** Computes the rates of a range of cells for every sink. */
export const blockOfRates = defineTask<RateWork, RateRange, RateBlock[]>(
  "block-of-rates",
  new URL("./rate-worker.ts", import.meta.url),
  // ONNX Runtime's.
  { isNative: true },
);
