import type { SparseMatrix } from "@stipple/numerics/matrices";
import { rowSums } from "@stipple/numerics/sparse";
import type { LabelProfiles } from "./read-reference.ts";

/** Number of genes per label that best distinguish it from the others. */
const PER_LABEL = 200;
/** A label's gene must be at least this many times its mean in the other labels. */
const MIN_FOLD = 1.6;
/** Rarer genes, as a share of UMIs, are dropped, because spots have no counts of them. */
const MIN_SHARE = 2e-5;
/** Minimum number of UMIs of a gene over all spots. */
const MIN_UMIS = 10;
/** With fewer informative genes, all counted genes are used. */
const MIN_GENES = 50;

/** Indices into `reference.genes` of the genes that distinguish the labels. O(labels · genes). */
export function genesOfLabels(
  { labels, genes, profiles }: LabelProfiles,
  byGene: SparseMatrix,
): number[] {
  const width = genes.length;
  const umis = rowSums(byGene);
  const counted = Array.from(genes.keys()).filter((at) => umis[genes[at]] >= MIN_UMIS);
  const chosen = new Set<number>();
  for (let label = 0; label < labels.length; label++) {
    const folds = counted.map((at): [at: number, fold: number] => {
      let others = 0;
      for (let k = 0; k < labels.length; k++) if (k !== label) others += profiles[k * width + at];
      const mean = others / Math.max(1, labels.length - 1);
      return [at, profiles[label * width + at] / (mean + MIN_SHARE)];
    });
    folds
      .filter(([at, fold]) => fold >= MIN_FOLD && profiles[label * width + at] >= MIN_SHARE)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, PER_LABEL)
      .forEach(([at]) => chosen.add(at));
  }
  return chosen.size < MIN_GENES ? counted : [...chosen].sort((a, b) => a - b);
}
