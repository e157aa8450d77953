import { openCountedRates } from "../../model/counted-rates.ts";
import { cellsFrom, rateRows, type Rates } from "../../model/rates.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { countedRateBlocks, rateBlocks, type RateBlock } from "./rate-block.ts";
import type { RateRange, RateWork } from "./rate-task.ts";

let held: {
  key: string;
  rates: Pick<Rates, "rows">;
  counted: ReturnType<typeof openCountedRates>;
} | null = null;

/** Rates of a block of cells; the next block reuses the memory. */
let dense = new Float32Array(0);

/** Runs in a worker thread. */
export default async function work(
  { key, parts, spotCounts, choices }: RateWork,
  { from, to, rooms }: RateRange,
): Promise<RateBlock[]> {
  if (held?.key !== key) {
    const factors = { ...parts, spotCounts: rowsOf(spotCounts) };
    held = { key, rates: rateRows(factors), counted: openCountedRates(factors) };
  }
  const nGenes = parts.profile.nCols;
  const counted = held.counted?.(from, to);
  if (counted) return countedRateBlocks(counted, nGenes, choices, rooms);
  const nRates = (to - from) * nGenes;
  if (dense.length < nRates) dense = new Float32Array(nRates);
  const into = dense.subarray(0, nRates);
  return rateBlocks(
    await held.rates.rows(cellsFrom(from, to), undefined, into),
    nGenes,
    choices,
    rooms,
  );
}
