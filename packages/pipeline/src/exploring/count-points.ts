import { covarianceOf } from "@stipple/numerics/covariance";
import { principalAxes, type PrincipalAxes } from "@stipple/numerics/principal-axes";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { InputError } from "../errors.ts";
import type { GeneMajorCounts } from "../steps/6-projection-analysis/viewer/gene-major-counts.ts";
import type { ExploredSample, Progress } from "./explored-sample.ts";
import type { CellPoints, WantedCells } from "./find-clusters.ts";

const COMPONENTS = 20;
/** Genes that vary most beyond counting noise. */
const MAX_GENES = 500;
/** Genes counted in fewer cells describe no group. */
const MIN_EXPRESSING = 5;
/** Cells that the axes are found from. */
const SAMPLE = 8_000;
const SEED = 0;
/** Share of the progress for choosing genes. */
const OF_CHOICE = 0.6;

/** The cells with enough counts, and what their counts are multiplied by and divided by. */
interface CountedCells {
  cells: Uint32Array<ArrayBuffer>;
  /** Row of every cell of the sample; −1 = not among these. */
  rowOf: Int32Array;
  /** Scales a row's counts to the median depth. */
  factor: Float64Array;
  totals: Float64Array;
}

/**
 * Principal components of log-normalized counts over the genes that vary most beyond Poisson noise, or given ones. Only
 * observed cells with enough counts take part. O(entries of the counts).
 */
export async function countPoints(
  sample: ExploredSample,
  { cells: chosen, genes: given }: WantedCells,
  progress: Progress,
): Promise<CellPoints> {
  const counted = await countedCells(sample, chosen);
  if (counted.cells.length === 0) {
    return { cells: counted.cells, points: { nRows: 0, nCols: 0, data: new Float32Array() } };
  }
  const told = (done: number): void => progress(OF_CHOICE * done);
  const genes = given ?? mostVariable(sample.counts, sample.manifest.genes.length, counted, told);
  if (genes.length === 0) {
    throw new InputError(
      "No gene has counts in enough of these cells: choose more cells, or cluster by rates or morphology.",
    );
  }
  progress(OF_CHOICE);
  const axes = await axesOf(sample.counts, genes, counted);
  const points = projected(sample.counts, genes, counted, axes);
  progress(1);
  return { cells: counted.cells, points };
}

async function countedCells(
  sample: ExploredSample,
  chosen: Uint32Array<ArrayBuffer>,
): Promise<CountedCells> {
  const totals = await sample.totals();
  const tested = await sample.tested();
  const cells = chosen.filter((cell) => tested.rowOf[cell] >= 0);
  const rowOf = new Int32Array(totals.length).fill(-1);
  cells.forEach((cell, row) => (rowOf[cell] = row));
  return {
    cells,
    rowOf,
    factor: Float64Array.from(cells, (cell) => tested.factor[tested.rowOf[cell]]),
    totals: Float64Array.from(cells, (cell) => totals[cell]),
  };
}

/**
 * The genes whose counts vary most, relative to Poisson noise around each cell's depth: Σ(x − p·t)² ÷ Σx, with p the
 * gene's share of all counts and t the cell's total (as residuals of a model of counts would rank them).
 */
function mostVariable(
  counts: GeneMajorCounts,
  nGenes: number,
  { rowOf, totals }: CountedCells,
  progress: Progress,
): number[] {
  let [all, squares] = [0, 0];
  for (const total of totals) {
    all += total;
    squares += total * total;
  }
  const found: { gene: number; excess: number }[] = [];
  for (const { gene, cells, values } of counts.scan()) {
    progress(gene / nGenes);
    let [n, sum, ofSquares, withTotals] = [0, 0, 0, 0];
    for (let k = 0; k < cells.length; k++) {
      const row = rowOf[cells[k]];
      if (row < 0) continue;
      const value = values[k];
      n++;
      sum += value;
      ofSquares += value * value;
      withTotals += value * totals[row];
    }
    if (n < MIN_EXPRESSING) continue;
    const share = sum / all;
    const spread = ofSquares - 2 * share * withTotals + share * share * squares;
    found.push({ gene, excess: spread / sum });
  }
  return found
    .sort((a, b) => b.excess - a.excess || a.gene - b.gene)
    .slice(0, MAX_GENES)
    .map(({ gene }) => gene)
    .sort((a, b) => a - b);
}

/** Calls `take` with every log-normalized count of some genes: the gene's place, the cell's row, the value. */
function eachValue(
  counts: GeneMajorCounts,
  genes: readonly number[],
  { rowOf, factor }: CountedCells,
  take: (place: number, row: number, value: number) => void,
): void {
  genes.forEach((gene, place) => {
    const { cells, values } = counts.entries(gene);
    for (let k = 0; k < cells.length; k++) {
      const row = rowOf[cells[k]];
      if (row >= 0) take(place, row, Math.log1p(values[k] * factor[row]));
    }
  });
}

async function axesOf(
  counts: GeneMajorCounts,
  genes: readonly number[],
  counted: CountedCells,
): Promise<PrincipalAxes> {
  const rows = Uint32Array.from(counted.cells.keys());
  const sample = sketchOf(rows, SAMPLE, new Random(SEED));
  const placeOf = new Int32Array(rows.length).fill(-1);
  sample.forEach((row, place) => (placeOf[row] = place));
  const dense = new Float32Array(sample.length * genes.length);
  eachValue(counts, genes, counted, (gene, row, value) => {
    if (placeOf[row] >= 0) dense[placeOf[row] * genes.length + gene] = value;
  });
  const covariance = await covarianceOf(dense, genes.length);
  return principalAxes(dense, genes.length, COMPONENTS, SEED, covariance);
}

/** Scores of all rows, without a dense matrix of cells and genes. */
function projected(
  counts: GeneMajorCounts,
  genes: readonly number[],
  counted: CountedCells,
  { mean, axes, nAxes }: PrincipalAxes,
): CellPoints["points"] {
  const nRows = counted.cells.length;
  const base = new Float32Array(nAxes);
  mean.forEach((value, gene) => {
    for (let axis = 0; axis < nAxes; axis++) base[axis] -= value * axes[gene * nAxes + axis];
  });
  const data = new Float32Array(nRows * nAxes);
  for (let row = 0; row < nRows; row++) data.set(base, row * nAxes);
  eachValue(counts, genes, counted, (gene, row, value) => {
    const [to, from] = [row * nAxes, gene * nAxes];
    for (let axis = 0; axis < nAxes; axis++) data[to + axis] += value * axes[from + axis];
  });
  return { nRows, nCols: nAxes, data };
}
