import { cellsFrom, rateRows, type Rates } from "../../model/rates.ts";
import { rowsOf } from "../../store/sparse-rows.ts";
import { rateBlocks, type RateBlock } from "./rate-block.ts";
import type { RateWork } from "./rate-task.ts";

let held: { key: string; rates: Pick<Rates, "rows"> } | null = null;

/** Runs in a worker thread. */
export default async function work(
  { key, parts, spotCounts, choices }: RateWork,
  { from, to }: { from: number; to: number },
): Promise<RateBlock[]> {
  if (held?.key !== key) {
    held = { key, rates: rateRows({ ...parts, spotCounts: rowsOf(spotCounts) }) };
  }
  return rateBlocks(await held.rates.rows(cellsFrom(from, to)), parts.profile.nCols, choices);
}
