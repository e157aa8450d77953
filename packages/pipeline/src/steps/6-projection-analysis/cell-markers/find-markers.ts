import type { Matrix } from "@stipple/numerics/matrices";
import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import type { GroupMarkers, MarkerTable } from "@stipple/contract/statistical-facts";
import type { GeneValues } from "../spatial-statistics/gene-values.ts";
import { pauses, type Work } from "../spatial-statistics/work.ts";
import {
  compositionOf,
  testGroups,
  unitShares,
  unitsOf,
  type CapturedSpots,
  type Composition,
} from "./spot-test.ts";
import {
  log2FoldChange,
  rankSums,
  sortedEntries,
  type Grouping,
  type GroupScores,
} from "./rank-sum.ts";

/** One way of grouping the tested cells. */
export interface Division {
  groupBy: MarkerTable["groupBy"];
  /** Group of each tested cell, −1 = none. */
  groupOf: Int32Array;
  /** Group of each cell in the sample, used for spot compositions. */
  ofAllCells: Int32Array;
  names: readonly string[];
}

export interface FoundMarkers {
  table: MarkerTable;
  /** nGenes × groups; NaN where not tested. */
  auc: Matrix<Float32Array>;
}

/** Groups with fewer tested cells are not informative. */
const MIN_CELLS = 5;

const COLUMNS = [
  "t",
  "p",
  "logFoldChange",
  "cohensD",
  "minCohensD",
  "fraction",
  "fractionOthers",
] as const;
type Column = (typeof COLUMNS)[number];

/**
 * The `count` best markers of each group in each division. Effect sizes come from cell counts, sorted by
 * decreasing area under the curve; p-values come from spots, because cells in a spot share its counts and are
 * not replicates. Each gene's entries are sorted once for all divisions: O(entries · log entries) in total;
 * memory groups × tested genes.
 */
export async function findMarkers(
  genes: Iterable<GeneValues>,
  tested: { cells: number; genes: number },
  divisions: readonly Division[],
  spots: CapturedSpots,
  names: readonly string[],
  count: number,
  work: Work,
): Promise<FoundMarkers[]> {
  const pause = pauses(work);
  const units = unitsOf(spots);
  const tables = divisions.map((division) => {
    const { ofAllCells, names: groups } = division;
    const composition = compositionOf(spots, units, ofAllCells, groups.length);
    return new Collected(division, composition, tested.genes, names.length);
  });
  let done = 0;
  for (const { gene, rows, values } of genes) {
    await pause();
    work.progress(done++ / Math.max(1, tested.genes));
    const entries = sortedEntries(rows, values);
    const shares = unitShares(spots, units, gene);
    for (const table of tables) {
      const scores = rankSums(entries, rows, values, table.grouping);
      table.add(gene, scores, testGroups(shares, table.composition));
    }
  }
  return tables.map((table) => table.finish(names, count, tested.cells));
}

/** Scores of all tested genes, one row per group. */
class Collected {
  readonly grouping: Grouping;
  readonly composition: Composition;
  readonly #division: Division;
  readonly #groups: number[];
  readonly #genes: number[] = [];
  readonly #values: Record<Column, Float64Array>[];
  readonly #auc: Matrix<Float32Array>;

  constructor(division: Division, composition: Composition, nTested: number, nGenes: number) {
    this.composition = composition;
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

  add(gene: number, scores: GroupScores, tests: { t: Float64Array; p: Float64Array }): void {
    const at = this.#genes.push(gene) - 1;
    this.#groups.forEach((group, row) => {
      const values = this.#values[row];
      values.t[at] = tests.t[group];
      values.p[at] = tests.p[group];
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
      const { t, p, logFoldChange, cohensD: d, minCohensD, ...rest } = this.#values[row];
      const auc = genes.map((gene) => this.#auc.data[gene * this.#auc.nCols + group]);
      const adjusted = adjustForFalseDiscovery(p);
      const best = [...genes.keys()]
        .sort((a, b) => auc[b] - auc[a] || t[b] - t[a] || genes[a] - genes[b])
        .slice(0, count);
      const of = (values: Float64Array): number[] => best.map((at) => values[at]);
      return {
        group: this.#division.names[group],
        cells: this.grouping.sizes[group],
        genes: best.map((at) => names[genes[at]]),
        scores: of(t),
        pvals: of(p),
        pvalsAdj: of(adjusted),
        logFoldChanges: of(logFoldChange),
        auc: best.map((at) => auc[at]),
        cohensD: of(d),
        // With two groups, the other group is the rest.
        minCohensD: of(minCohensD.map((value, at) => (Number.isFinite(value) ? value : d[at]))),
        fraction: of(rest.fraction),
        fractionOthers: of(rest.fractionOthers),
      };
    });
    return {
      table: {
        groupBy: this.#division.groupBy,
        testedCells,
        testedSpots: this.composition.units.length,
        testedGenes: genes.length,
        groups,
      },
      auc: this.#auc,
    };
  }
}

/** Difference of means divided by the square root of the mean variance. */
function cohensD(difference: number, variance: number, varianceOthers: number): number {
  const spread = Math.sqrt((variance + varianceOthers) / 2);
  return spread > 1e-9 ? difference / spread : 0;
}
