import { rateRows, type Rates } from "../../model/rates.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import type { LogRateWork } from "./log-rates-task.ts";
import { logRatesOf } from "./log-rates.ts";

let held: { key: string; rates: Pick<Rates, "rows">; genes: Uint32Array } | null = null;

/** Runs in a worker thread. */
export default function work(
  { key, parts, genes, counts, depth, axes }: LogRateWork,
  cells: Uint32Array,
): Promise<Float32Array> {
  if (held?.key !== key) {
    held = { key, genes, rates: rateRows({ ...parts, spotCounts: rowsOf(counts) }) };
  }
  return logRatesOf(held.rates, cells, held.genes, depth, axes);
}
