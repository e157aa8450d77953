import type { Matrix } from "../../../fields.ts";
import { adjustForFalseDiscovery } from "../../../numerics/false-discovery.ts";
import { normalUpperTail } from "../../../numerics/normal-tail.ts";
import type { GroupMarkers, MarkerTable } from "@stipple/contract/statistical-facts";
import type { GeneValues } from "../spatial-statistics/gene-values.ts";
import { pauses, type Work } from "../spatial-statistics/work.ts";
import {
  log2FoldChange,
  rankSums,
  sortedEntries,
  type Grouping,
  type GroupScores,
} from "./rank-sum.ts";

/** One way to divide the tested cells. */
export interface Division {
  groupBy: MarkerTable["groupBy"];
  /** Group of every tested cell, −1 = none. */
  groupOf: Int32Array;
  names: readonly string[];
}

export interface FoundMarkers {
  table: MarkerTable;
  /** nGenes × groups; NaN where not tested. */
  auc: Matrix<Float32Array>;
}

/** Groups of fewer tested cells say nothing. */
const MIN_CELLS = 5;

const COLUMNS = [
  "z",
  "logFoldChange",
  "cohensD",
  "minCohensD",
  "fraction",
  "fractionOthers",
] as const;
type Column = (typeof COLUMNS)[number];

/**
 * The `count` best markers of every group of every division. A gene's entries are sorted once for all divisions:
 * O(entries · log entries) in all; memory groups × tested genes.
 */
export async function findMarkers(
  genes: Iterable<GeneValues>,
  tested: { cells: number; genes: number },
  divisions: readonly Division[],
  names: readonly string[],
  count: number,
  work: Work,
): Promise<FoundMarkers[]> {
  const pause = pauses(work);
  const tables = divisions.map((division) => new Collected(division, tested.genes, names.length));
  let done = 0;
  for (const { gene, rows, values } of genes) {
    await pause();
    work.progress(done++ / Math.max(1, tested.genes));
    const entries = sortedEntries(rows, values);
    for (const table of tables) table.add(gene, rankSums(entries, rows, values, table.grouping));
  }
  return tables.map((table) => table.finish(names, count, tested.cells));
}

/** Scores of every tested gene, one row a group. */
class Collected {
  readonly grouping: Grouping;
  readonly #division: Division;
  readonly #groups: number[];
  readonly #genes: number[] = [];
  readonly #values: Record<Column, Float64Array>[];
  readonly #auc: Matrix<Float32Array>;

  constructor(division: Division, nTested: number, nGenes: number) {
    const sizes = new Float64Array(division.names.length);
    for (const group of division.groupOf) if (group >= 0) sizes[group] += 1;
    this.#division = division;
    this.grouping = { groupOf: division.groupOf, sizes };
    const n = division.groupOf.length;
    this.#groups = [...sizes.keys()].filter(
      (group) => sizes[group] >= MIN_CELLS && n - sizes[group] >= MIN_CELLS,
    );
    this.#values = this.#groups.map(
      () =>
        Object.fromEntries(COLUMNS.map((column) => [column, new Float64Array(nTested)])) as Record<
          Column,
          Float64Array
        >,
    );
    this.#auc = {
      nRows: nGenes,
      nCols: sizes.length,
      data: new Float32Array(nGenes * sizes.length).fill(NaN),
    };
  }

  add(gene: number, scores: GroupScores): void {
    const at = this.#genes.push(gene) - 1;
    this.#groups.forEach((group, row) => {
      const values = this.#values[row];
      values.z[at] = scores.z[group];
      values.logFoldChange[at] = log2FoldChange(scores.mean[group], scores.meanOthers[group]);
      values.cohensD[at] = cohensD(
        scores.mean[group] - scores.meanOthers[group],
        scores.variance[group],
        scores.varianceOthers[group],
      );
      values.minCohensD[at] = Math.min(
        ...this.#groups
          .filter((other) => other !== group)
          .map((other) =>
            cohensD(
              scores.mean[group] - scores.mean[other],
              scores.variance[group],
              scores.variance[other],
            ),
          ),
      );
      values.fraction[at] = scores.fraction[group];
      values.fractionOthers[at] = scores.fractionOthers[group];
      this.#auc.data[gene * this.#auc.nCols + group] = scores.auc[group];
    });
  }

  finish(names: readonly string[], count: number, testedCells: number): FoundMarkers {
    const genes = this.#genes;
    const groups = this.#groups.map((group, row): GroupMarkers => {
      const { z, logFoldChange, cohensD: d, minCohensD, ...rest } = this.#values[row];
      const p = Float64Array.from(genes, (_, at) => 2 * normalUpperTail(Math.abs(z[at])));
      const adjusted = adjustForFalseDiscovery(p);
      const best = [...genes.keys()]
        .sort((a, b) => z[b] - z[a] || genes[a] - genes[b])
        .slice(0, count);
      const of = (values: Float64Array): number[] => best.map((at) => values[at]);
      return {
        group: this.#division.names[group],
        cells: this.grouping.sizes[group],
        genes: best.map((at) => names[genes[at]]),
        scores: of(z),
        pvals: of(p),
        pvalsAdj: of(adjusted),
        logFoldChanges: of(logFoldChange),
        auc: best.map((at) => this.#auc.data[genes[at] * this.#auc.nCols + group]),
        cohensD: of(d),
        // With two groups the other one is the rest.
        minCohensD: of(minCohensD.map((value, at) => (Number.isFinite(value) ? value : d[at]))),
        fraction: of(rest.fraction),
        fractionOthers: of(rest.fractionOthers),
      };
    });
    return {
      table: {
        groupBy: this.#division.groupBy,
        testedCells,
        testedGenes: genes.length,
        groups,
      },
      auc: this.#auc,
    };
  }
}

/** Difference of means over the root of the mean variance. */
function cohensD(difference: number, variance: number, varianceOthers: number): number {
  const spread = Math.sqrt((variance + varianceOthers) / 2);
  return spread > 1e-9 ? difference / spread : 0;
}
