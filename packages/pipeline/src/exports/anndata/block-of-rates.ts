import { defineTask } from "@stipple/tasks/task";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { cellsFrom, type RateParts, rateRows, type Rates } from "../../model/rates.ts";
import { type RateBlock, rateBlocks, type RateChoice, type RateBuffers } from "./rate-block.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";

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
  buffers: readonly RateBuffers[];
}

let held: { key: string; rates: Pick<Rates, "rows"> } | null = null;

/** Rates of a block of cells; the next block reuses the memory. */
let dense = new Float32Array(0);

/** Runs in a worker thread. */
export async function rateBlocksOfCells(
  { key, parts, spotCounts, choices }: RateWork,
  { from, to, buffers }: RateRange,
): Promise<RateBlock[]> {
  if (held?.key !== key) {
    held = { key, rates: rateRows({ ...parts, spotCounts: rowsOf(spotCounts) }) };
  }
  const nGenes = parts.profile.nCols;
  const nRates = (to - from) * nGenes;
  if (dense.length < nRates) dense = new Float32Array(nRates);
  const into = dense.subarray(0, nRates);
  return rateBlocks(
    await held.rates.rows(cellsFrom(from, to), undefined, into),
    nGenes,
    choices,
    buffers,
  );
}

/** Computes the rates of a range of cells for every sink. */
export const blockOfRates = defineTask(
  import.meta.url,
  rateBlocksOfCells,
  // Runs ONNX Runtime.
  { isNative: true },
);
