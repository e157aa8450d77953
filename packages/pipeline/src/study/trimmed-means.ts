import { meanRanks } from "@stipple/numerics/mean-ranks";
import { median, quantile } from "@stipple/numerics/quantile";
import type { Counts } from "./counts.ts";

const TRIM_RATIO = 0.3;
const TRIM_LEVEL = 0.05;

/**
 * Factors by which the totals of units are corrected so that most genes are equal between them: trimmed means of log
 * ratios (Robinson & Oshlack 2010), relative to the unit whose upper quartile is nearest the mean. Their product is 1.
 */
export function trimmedMeanFactors(units: Counts): number[] {
  const totals = units.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const genes = Array.from((units[0] ?? new Float64Array()).keys());
  const counted = genes.filter((gene) => units.some((counts) => counts[gene] > 0));
  if (counted.length === 0 || units.length < 2) return units.map(() => 1);
  const kept = units.map((counts) => Float64Array.from(counted, (gene) => counts[gene]));
  const reference = referenceUnit(kept, totals);
  const logs = kept.map((counts, i) =>
    logFactor(counts, kept[reference], totals[i], totals[reference]),
  );
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return logs.map((log) => 2 ** (log - mean));
}

function referenceUnit(units: Counts, totals: readonly number[]): number {
  const quartiles = units.map((counts, i) => quantile(counts.toSorted(), 0.75) / totals[i]);
  const mean = quartiles.reduce((sum, value) => sum + value, 0) / quartiles.length;
  const score =
    median(quartiles) < 1e-20
      ? units.map((counts) => -counts.reduce((sum, count) => sum + Math.sqrt(count), 0))
      : quartiles.map((value) => Math.abs(value - mean));
  return score.indexOf(Math.min(...score));
}

/** log2 of the factor of a unit relative to the reference. */
function logFactor(
  counts: Float64Array,
  reference: Float64Array,
  total: number,
  referenceTotal: number,
): number {
  const ratios: number[] = [];
  const levels: number[] = [];
  const variances: number[] = [];
  for (let gene = 0; gene < counts.length; gene++) {
    const [own, other] = [counts[gene], reference[gene]];
    if (own === 0 || other === 0) continue;
    ratios.push(Math.log2(own / total / (other / referenceTotal)));
    levels.push((Math.log2(own / total) + Math.log2(other / referenceTotal)) / 2);
    variances.push((total - own) / total / own + (referenceTotal - other) / referenceTotal / other);
  }
  const n = ratios.length;
  if (ratios.every((ratio) => Math.abs(ratio) < 1e-6)) return 0;
  const isInside = (ranks: Float64Array, i: number, trim: number): boolean => {
    const low = Math.floor(n * trim);
    return ranks[i] >= low && ranks[i] <= n - 1 - low;
  };
  const [ratioRanks, levelRanks] = [meanRanks(ratios), meanRanks(levels)];
  let [sum, weight] = [0, 0];
  for (let i = 0; i < n; i++) {
    if (!isInside(ratioRanks, i, TRIM_RATIO) || !isInside(levelRanks, i, TRIM_LEVEL)) continue;
    sum += ratios[i] / variances[i];
    weight += 1 / variances[i];
  }
  return weight > 0 ? sum / weight : 0;
}
