import { Random } from "@stipple/numerics/random";
import type { LabeledCells } from "../typing-datasets.ts";

/** A subset of the measured genes, like a targeted panel. */
export interface Panel {
  genes: number;
  /** Half the most specific genes of each label in turn and half at random, or all at random. */
  chosen: "markers" | "random";
}

/** Minimum mean rate for a gene to be in a panel, relative to the mean over genes. */
const MIN_RATE = 0.05;

/**
 * A panel's genes, as indices into the data's genes, chosen from the cells themselves and independent of our marker
 * sets.
 */
export function panelOf(
  { table: columns, labels }: LabeledCells,
  { genes, chosen }: Panel,
): number[] {
  const random = new Random(genes);
  const means = columns.map((column) => column.reduce((a, b) => a + b, 0) / column.length);
  const usual = means.reduce((a, b) => a + b, 0) / means.length;
  const known = [...means.keys()].filter((gene) => means[gene] > MIN_RATE * usual);
  const order = Uint32Array.from(known);
  random.shuffle(order);
  const taken = new Set<number>();
  if (chosen === "markers") {
    const ranked = [...new Set(labels)].sort().map((label) => {
      const own = [...labels.keys()].filter((cell) => labels[cell] === label);
      const raised = (gene: number): number =>
        own.reduce((sum, cell) => sum + columns[gene][cell], 0) / own.length / means[gene];
      const ratio = new Map(known.map((gene) => [gene, raised(gene)]));
      return known.toSorted((a, b) => ratio.get(b)! - ratio.get(a)!);
    });
    for (let rank = 0; rank < known.length && taken.size < genes / 2; rank++) {
      for (const list of ranked) if (taken.size < genes / 2) taken.add(list[rank]);
    }
  }
  for (const gene of order) if (taken.size < genes) taken.add(gene);
  return [...taken].sort((a, b) => a - b);
}
