import type { SelfTest, TwinScore } from "../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { pearson } from "@stipple/numerics/pearson";
import { median } from "@stipple/numerics/quantile";
import { Random } from "@stipple/numerics/random";
import { interpolate, nearestSpots } from "../model/nearest-spots.ts";
import type { Twin } from "./twin.ts";

export type TwinScores = NonNullable<SelfTest["scores"]>;

/** Scores the analysis on the twin's cells, gene by gene. O(cells · genes). */
export function judgeTwin(
  twin: Twin,
  column: (gene: number) => ArrayLike<number>,
  where: { cellsXy: Matrix<Float32Array>; spotsXy: Matrix<Float64Array>; pitchPx: number },
  genes: { all: readonly number[]; reliable: readonly number[] },
  seed: number,
): TwinScores {
  const nCells = where.cellsXy.nRows;
  const nGenes = twin.counts.nCols;
  const near = nearestSpots(where.cellsXy, where.spotsXy, {
    lengthPx: 0.6 * where.pitchPx,
    width: 7,
    always: true,
  });
  const order = Uint32Array.from({ length: nCells }, (_, cell) => cell);
  new Random(seed).shuffle(order);
  const wanted = [...new Set([...genes.all, ...genes.reliable])];
  const scores = {
    rate: new Float64Array(nGenes),
    interpolation: new Float64Array(nGenes),
    shuffled: new Float64Array(nGenes),
    ceiling: new Float64Array(nGenes),
  };
  const known = new Float32Array(nCells);
  const drawn = new Float32Array(nCells);
  const spots = new Float32Array(where.spotsXy.nRows);
  const columns = columnsOf(twin);
  for (const gene of wanted) {
    for (let cell = 0; cell < nCells; cell++) {
      known[cell] = twin.truth[cell * nGenes + gene];
      drawn[cell] = twin.rate[cell * nGenes + gene];
    }
    spots.fill(0);
    for (const [spot, count] of columns[gene]) spots[spot] = count;
    const said = column(gene);
    const score = (prediction: ArrayLike<number>): number => pearson(prediction, known) || 0;
    scores.rate[gene] = score(said);
    scores.shuffled[gene] = score(Float32Array.from(order, (cell) => said[cell]));
    scores.interpolation[gene] = score(interpolate(near, spots, 1));
    scores.ceiling[gene] = score(drawn);
  }
  const summary = (values: Float64Array): TwinScore => ({
    all: median(genes.all.map((gene) => values[gene])),
    reliable: genes.reliable.length > 0 ? median(genes.reliable.map((gene) => values[gene])) : null,
  });
  return {
    rate: summary(scores.rate),
    interpolation: summary(scores.interpolation),
    shuffled: summary(scores.shuffled),
    ceiling: summary(scores.ceiling),
  };
}

/** Spots and counts of each gene. */
function columnsOf({ counts }: Twin): (readonly [spot: number, count: number])[][] {
  const columns: [number, number][][] = Array.from({ length: counts.nCols }, () => []);
  for (let spot = 0; spot < counts.nRows; spot++) {
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      columns[counts.indices[k]].push([spot, counts.data[k]]);
    }
  }
  return columns;
}
