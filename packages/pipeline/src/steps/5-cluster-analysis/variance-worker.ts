import { throwIfLeft } from "../../engine/tasks/left-task.ts";
import { rateRows } from "../../model/rates.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import type { VarianceGenes, VarianceWork } from "./log-rates-task.ts";
import { variancesOf } from "./log-rates.ts";

/** Runs in a worker thread. */
export default function work(
  { parts, sample, depth }: VarianceWork,
  { genes, counts }: VarianceGenes,
): Promise<Float64Array> {
  const rates = rateRows({ ...parts, spotCounts: rowsOf(counts) });
  return variancesOf(rates, sample, genes, depth, throwIfLeft);
}
