import type { SparseMatrix } from "@stipple/numerics/matrices";
import { rowSums } from "@stipple/numerics/sparse";
import type { LabelProfiles } from "./read-reference.ts";
import { ENOUGH, REFERENCES } from "../model/constants.ts";
import { REFERENCE_FILE } from "../model/limits.ts";

const { MIN_SHARE } = REFERENCES;

/** Indices into `reference.genes` of the genes that distinguish the labels. O(labels · genes). */
export function genesOfLabels(
  { labels, genes, profiles }: LabelProfiles,
  byGene: SparseMatrix,
): number[] {
  const width = genes.length;
  const umis = rowSums(byGene);
  const counted = Array.from(genes.keys()).filter((at) => umis[genes[at]] >= ENOUGH.COUNTS / 2);
  const chosen = new Set<number>();
  for (let label = 0; label < labels.length; label++) {
    const folds = counted.map((at): [at: number, fold: number] => {
      let others = 0;
      for (let k = 0; k < labels.length; k++) if (k !== label) others += profiles[k * width + at];
      const mean = others / Math.max(1, labels.length - 1);
      return [at, profiles[label * width + at] / (mean + MIN_SHARE)];
    });
    folds
      .filter(
        ([at, fold]) => fold >= REFERENCES.MIN_FOLD && profiles[label * width + at] >= MIN_SHARE,
      )
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, REFERENCE_FILE.PER_LABEL)
      .forEach(([at]) => chosen.add(at));
  }
  return chosen.size < ENOUGH.GENES ? counted : [...chosen].sort((a, b) => a - b);
}
