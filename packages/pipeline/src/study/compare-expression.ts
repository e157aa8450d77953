import type { Counts } from "./counts.ts";
import type { ComparisonDesign } from "./design.ts";
import { expressedGenes } from "./expressed-genes.ts";
import { moderatedTests } from "./moderated-tests.ts";
import { trimmedMeanFactors } from "./trimmed-means.ts";
import { fitByVoom } from "./voom.ts";

/** A gene's difference between the second and the first group of units. */
export interface GeneDifference {
  /** Index into the genes. */
  gene: number;
  /** log2 of the ratio, and its 95% interval. */
  logFold: number;
  low: number;
  high: number;
  /** Mean log2 counts per million. */
  mean: number;
  t: number;
  p: number;
  fdr: number;
}

/**
 * Compares summed counts of units gene by gene: expressed genes, trimmed means, voom, and moderated t statistics, as edgeR
 * and limma do. Genes with too few counts are left out.
 */
export function compareExpression(units: Counts, design: ComparisonDesign): GeneDifference[] {
  const genes = expressedGenes(units, design.columns);
  if (genes.length < 2) return [];
  const kept = units.map((counts) => Float64Array.from(genes, (gene) => counts[gene]));
  const factors = trimmedMeanFactors(kept);
  const totals = kept.map(
    (counts, i) => factors[i] * counts.reduce((sum, count) => sum + count, 0),
  );
  const { fits, means } = fitByVoom(kept, totals, design.columns);
  return moderatedTests(fits, units.length, design).map(({ difference, ...row }, i) => ({
    ...{ gene: genes[i], logFold: difference, mean: means[i] },
    ...row,
  }));
}
