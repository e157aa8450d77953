import { REFERENCES } from "../model/constants.ts";
import { REFERENCE_FILE } from "../model/limits.ts";

const { MIN_SPREAD } = REFERENCES;
const { MAX_GENES, OF_PAIRS } = REFERENCE_FILE;

/** Means and standard deviations of log1p expression, labels × genes. */
export interface LabelStatistics {
  nLabels: number;
  nGenes: number;
  log: Float64Array;
  spread: Float64Array;
}

/**
 * Genes that tell labels apart, in ascending order: first the largest differences of every pair of labels, then those
 * that set each label apart from all others compared with the spread of its cells. O(labels² · genes).
 */
export function chooseGenes(statistics: LabelStatistics): Uint32Array {
  const chosen = new Set<number>();
  takeInTurn(chosen, ofPairs(statistics), OF_PAIRS);
  takeInTurn(chosen, ofLabels(statistics), MAX_GENES);
  return Uint32Array.from(chosen).sort();
}

/** Adds the first of every list, then the second, and so on, until there are enough. */
function takeInTurn(chosen: Set<number>, lists: readonly number[][], depth: number): void {
  const longest = Math.min(depth, Math.max(0, ...lists.map(({ length }) => length)));
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      if (chosen.size >= MAX_GENES) return;
      if (rank < list.length) chosen.add(list[rank]);
    }
  }
}

function ofPairs({ nLabels, nGenes, log }: LabelStatistics): number[][] {
  const lists: number[][] = [];
  for (let a = 0; a < nLabels; a++) {
    for (let b = 0; b < nLabels; b++) {
      if (a === b) continue;
      lists.push(
        largest(nGenes, OF_PAIRS, (gene) => log[a * nGenes + gene] - log[b * nGenes + gene]),
      );
    }
  }
  return lists;
}

function ofLabels({ nLabels, nGenes, log, spread }: LabelStatistics): number[][] {
  const sums = new Float64Array(nGenes);
  log.forEach((value, i) => (sums[i % nGenes] += value));
  return Array.from({ length: nLabels }, (_, label) =>
    largest(nGenes, MAX_GENES, (gene) => {
      const at = label * nGenes + gene;
      const others = (sums[gene] - log[at]) / (nLabels - 1);
      return (log[at] - others) / (spread[at] + MIN_SPREAD);
    }),
  );
}

/** Indices of the `count` largest values above 0, largest first. */
function largest(length: number, count: number, value: (index: number) => number): number[] {
  const values = Float64Array.from({ length }, (_, index) => value(index));
  const above = Array.from(values.keys()).filter((index) => values[index] > 0);
  return above.sort((a, b) => values[b] - values[a] || a - b).slice(0, count);
}
