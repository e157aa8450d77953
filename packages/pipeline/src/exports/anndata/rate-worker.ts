import { openCountedRates } from "../../model/counted-rates.ts";
import { cellsFrom, rateRows, type Rates } from "../../model/rates.ts";
import { rowsOf } from "../../store/sparse-rows.ts";
import { countedRateBlocks, rateBlocks, roomForRates, type RateBlock } from "./rate-block.ts";
import type { RateRange, RateWork } from "./rate-task.ts";

let held: {
  key: string;
  rates: Pick<Rates, "rows">;
  counted: ReturnType<typeof openCountedRates>;
} | null = null;

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
  const into = roomForRates(nGenes, choices.length, (to - from) * nGenes);
  return rateBlocks(
    await held.rates.rows(cellsFrom(from, to), undefined, into),
    nGenes,
    choices,
    rooms,
  );
}
