import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import { studentQuantile, studentTwoSided } from "@stipple/numerics/student-tail";
import type { Counts } from "./counts.ts";
import type { ComparisonDesign } from "./design.ts";
import { expressedGenes } from "./expressed-genes.ts";
import { moderated, variancePrior } from "./moderate-variances.ts";
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
export function compareExpression(
  units: Counts,
  { columns, condition }: ComparisonDesign,
): GeneDifference[] {
  const genes = expressedGenes(units, columns);
  if (genes.length < 2) return [];
  const kept = units.map((counts) => Float64Array.from(genes, (gene) => counts[gene]));
  const factors = trimmedMeanFactors(kept);
  const totals = kept.map(
    (counts, i) => factors[i] * counts.reduce((sum, count) => sum + count, 0),
  );
  const { fits, means } = fitByVoom(kept, totals, columns);
  const degrees = units.length - columns.length;
  const variances = Float64Array.from(fits, ({ residual }) => residual / degrees);
  const prior = variancePrior(variances, degrees);
  const all = Math.min(degrees + prior.degrees, degrees * genes.length);
  const reach = studentQuantile(0.05, all);
  const rows = fits.map(({ coefficients, unscaled }, i) => {
    const error = unscaled[condition] * Math.sqrt(moderated(variances[i], degrees, prior));
    const logFold = coefficients[condition];
    const t = logFold / error;
    return {
      ...{ gene: genes[i], logFold, low: logFold - reach * error, high: logFold + reach * error },
      ...{ mean: means[i], t, p: studentTwoSided(t, all) },
    };
  });
  const fdr = adjustForFalseDiscovery(rows.map(({ p }) => p));
  return rows.map((row, i) => ({ ...row, fdr: fdr[i] }));
}
