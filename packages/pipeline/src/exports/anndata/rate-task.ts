import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "../../fields.ts";
import type { RateParts } from "../../model/rates.ts";
import type { RateBlock, RateChoice } from "./rate-block.ts";

/** What all blocks of cells have in common. */
export interface RateWork {
  /** Names these factors: a thread keeps what it made of them. */
  key: string;
  parts: RateParts;
  spotCounts: SparseMatrix;
  choices: readonly RateChoice[];
}

/** Computes the rates of a range of cells for every sink. */
export const blockOfRates = defineTask<RateWork, { from: number; to: number }, RateBlock[]>(
  "block-of-rates",
  new URL("./rate-worker.ts", import.meta.url),
  // ONNX Runtime's.
  { isNative: true },
);
