import { readResult } from "@stipple/pipeline/results";
import { median } from "@stipple/numerics/quantile";
import { pearsonPerGene } from "@stipple/tissue/metrics/correlation";
import { matchByCenter } from "@stipple/tissue/metrics/detection";
import { transpose } from "@stipple/numerics/sparse";
import { scoreNames } from "../typing/score-names.ts";
import type { TissueTruth } from "./tissues.ts";

/** Found and true cells match within this distance. */
const MATCH_UM = 6;
/** Genes with a smaller sum over the cells have no meaningful correlation. */
const MIN_COUNTS = 50;

/** Names and rates of one result. */
export interface Figures {
  /** Median correlation of genes: of rates, and of the integer counts. */
  rate: number;
  counts: number;
  /** Macro-F1 over true types and lineages, null if types are not known. */
  types: number | null;
  lineages: number | null;
  /** CPU seconds of step 4 and of naming. */
  seconds: number;
}

/** Judges the results of step 4, and the names of their cells, by the tissue's true cells. O(cells · genes). */
export async function judge(
  truth: TissueTruth,
  results: string,
  names: readonly string[],
): Promise<Omit<Figures, "seconds">> {
  const found = await readResult(results, "cells/xy");
  const matched = matchByCenter(truth.xy, found.data, MATCH_UM / truth.umPerPx);
  const symbols = await readResult(results, "genes/symbol");
  const place = truth.symbols.map((symbol) => symbols.indexOf(symbol));
  const rate = await readResult(results, "cells/rate");
  const columns = place.map((gene) =>
    gene < 0 ? new Float32Array(rate.nCells) : rate.column(gene),
  );
  const byGene = transpose(await readResult(results, "cells/counts"));
  const allocated = place.map((gene) => {
    const column = new Float32Array(rate.nCells);
    if (gene < 0) return column;
    for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
      column[byGene.indices[k]] = byGene.data[k]!;
    }
    return column;
  });
  const sums = new Float64Array(truth.counts.nCols);
  truth.counts.indices.forEach((gene, k) => (sums[gene] += truth.counts.data[k]));
  const judged = [...sums.keys()].filter((gene) => sums[gene] >= MIN_COUNTS && place[gene] >= 0);
  const of = (predicted: readonly Float32Array[]): number => {
    const perGene = pearsonPerGene(truth.counts, (cell, row) => {
      const own = matched[cell];
      if (own >= 0) predicted.forEach((column, gene) => (row[gene] = column[own]!));
    });
    return median(judged.map((gene) => perGene[gene]));
  };
  const known = [...truth.type.keys()].filter((cell) => truth.type[cell] !== null);
  const score =
    truth.labels &&
    scoreNames(
      known.map((cell) => truth.type[cell]!),
      known.map((cell) => (matched[cell] < 0 ? null : names[matched[cell]])),
      truth.labels,
    );
  return {
    rate: of(columns),
    counts: of(allocated),
    types: score && score.types.macroF1,
    lineages: score && score.broad.macroF1,
  };
}
