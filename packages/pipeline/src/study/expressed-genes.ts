import { leverages, type Design } from "@stipple/numerics/least-squares";
import type { Counts } from "./counts.ts";

const MIN_COUNT = 10;
const MIN_TOTAL = 15;
/** Of groups larger than this, only a part has to show a gene. */
const LARGE_GROUP = 10;
const PART_OF_LARGE = 0.7;

/**
 * Genes with enough counts to compare: about ten in as many units as the smallest group has (edgeR's `filterByExpr`,
 * Chen, Lun & Smyth 2016).
 */
export function expressedGenes(units: Counts, design: Design): number[] {
  const totals = units.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const sorted = totals.toSorted((a, b) => a - b);
  const medianTotal = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  const least = MIN_COUNT / medianTotal;
  let wanted = 1 / Math.max(...leverages(design));
  if (wanted > LARGE_GROUP) wanted = LARGE_GROUP + (wanted - LARGE_GROUP) * PART_OF_LARGE;
  const genes: number[] = [];
  for (let gene = 0; gene < (units[0]?.length ?? 0); gene++) {
    let [shown, total] = [0, 0];
    for (const [i, counts] of units.entries()) {
      total += counts[gene];
      if (counts[gene] / totals[i] >= least) shown++;
    }
    if (shown >= wanted - 1e-9 && total >= MIN_TOTAL) genes.push(gene);
  }
  return genes;
}
