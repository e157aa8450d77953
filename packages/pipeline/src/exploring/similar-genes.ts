import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { InputError } from "../errors.ts";
import { prototypeTotals, timesPrototypes } from "../model/prototype-sums.ts";
import type { ExploredSample, Progress } from "./explored-sample.ts";

export interface SimilarGene {
  gene: string;
  /** Pearson correlation over cells. */
  correlation: number;
}

export interface SimilarGenes {
  /** Cells that the correlation is of. */
  cells: number;
  /** Most similar first. */
  genes: SimilarGene[];
}

const LISTED = 50;
/** Cells for correlations of rates: the standard error of r is at most 0.02. */
const SAMPLE = 2_500;
/** Cells whose rates of all genes are computed together. */
const BLOCK = 250;
/** Genes counted in fewer cells correlate by chance. */
const MIN_EXPRESSING = 10;
const SEED = 0;

/**
 * The genes whose values correlate most with those of one gene over the cells. Rates: log-normalized, over a sample of
 * cells. Counts: log-normalized, over all observed cells with enough counts. Throws InputError for a gene that does
 * not vary.
 */
export async function similarGenes(
  sample: ExploredSample,
  name: string,
  layer: "rate" | "counts",
  progress: Progress = () => undefined,
): Promise<SimilarGenes> {
  const [gene] = sample.genes([name]);
  progress(0);
  const sums = await (layer === "rate" ? ofRates : ofCounts)(sample, gene, progress);
  const { genes } = sample.manifest;
  const found = genes.flatMap((other, at) => {
    const correlation = sums.correlation(at);
    return at !== gene && Number.isFinite(correlation) ? [{ gene: other, correlation }] : [];
  });
  if (!Number.isFinite(sums.correlation(gene))) {
    throw new InputError(
      `${name} has too few counts, or is the same in all cells, so no gene can be said to be like it: choose another gene.`,
    );
  }
  found.sort((a, b) => b.correlation - a.correlation);
  return {
    cells: sums.cells,
    genes: found
      .slice(0, LISTED)
      .map((one) => ({ ...one, correlation: Number(one.correlation.toPrecision(4)) })),
  };
}

/** Sums over cells from which every gene's correlation with one gene follows. */
class Sums {
  readonly cells: number;
  readonly #gene: number;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  readonly products: Float64Array;
  readonly expressing: Uint32Array;

  constructor(cells: number, nGenes: number, gene: number) {
    this.cells = cells;
    this.#gene = gene;
    this.sum = new Float64Array(nGenes);
    this.squares = new Float64Array(nGenes);
    this.products = new Float64Array(nGenes);
    this.expressing = new Uint32Array(nGenes);
  }

  /** NaN for a gene with too few counts, or one that does not vary. */
  correlation(other: number): number {
    const { cells: n, sum, squares, products, expressing } = this;
    const own = this.#gene;
    if (expressing[other] < Math.min(MIN_EXPRESSING, n)) return NaN;
    const variance = (of: number): number => squares[of] / n - (sum[of] / n) ** 2;
    const spread = Math.sqrt(variance(own) * variance(other));
    if (!(spread > 1e-12)) return NaN;
    return (products[other] / n - (sum[own] / n) * (sum[other] / n)) / spread;
  }
}

async function ofRates(sample: ExploredSample, gene: number, progress: Progress): Promise<Sums> {
  const rates = await sample.rates();
  const { nCells, nGenes } = rates;
  const { membership, profile } = rates.parts;
  const totals = timesPrototypes(membership.data, prototypeTotals(profile.data, membership.nCols));
  const scale = totals.toSorted()[totals.length >> 1];
  const all = Uint32Array.from({ length: nCells }, (_, cell) => cell);
  const cells = sketchOf(all, SAMPLE, new Random(SEED));
  const sums = new Sums(cells.length, nGenes, gene);
  for (let from = 0; from < cells.length; from += BLOCK) {
    progress(from / cells.length);
    const some = cells.subarray(from, from + BLOCK);
    const block = await rates.rows(some);
    for (let i = 0; i < some.length; i++) {
      const row = block.subarray(i * nGenes, (i + 1) * nGenes);
      addRow(sums, row, scale / Math.max(1e-12, totals[some[i]]), gene);
    }
  }
  return sums;
}

function addRow(sums: Sums, row: Float32Array, factor: number, gene: number): void {
  const own = Math.log1p(row[gene] * factor);
  const { sum, squares, products, expressing } = sums;
  for (let g = 0; g < row.length; g++) {
    if (row[g] <= 0) continue;
    const value = Math.log1p(row[g] * factor);
    sum[g] += value;
    squares[g] += value * value;
    products[g] += value * own;
    expressing[g]++;
  }
}

async function ofCounts(sample: ExploredSample, gene: number, progress: Progress): Promise<Sums> {
  const { rowOf, factor, cells } = await sample.tested();
  const nGenes = sample.manifest.genes.length;
  const own = new Float32Array(cells.length);
  const ofGene = sample.counts.entries(gene);
  ofGene.cells.forEach((cell, k) => {
    const row = rowOf[cell];
    if (row >= 0) own[row] = Math.log1p(ofGene.values[k] * factor[row]);
  });
  const sums = new Sums(cells.length, nGenes, gene);
  for (const { gene: other, cells: counted, values } of sample.counts.scan()) {
    progress(other / nGenes);
    let [n, sum, squares, products] = [0, 0, 0, 0];
    for (let k = 0; k < counted.length; k++) {
      const row = rowOf[counted[k]];
      if (row < 0) continue;
      const value = Math.log1p(values[k] * factor[row]);
      n++;
      sum += value;
      squares += value * value;
      products += value * own[row];
    }
    sums.sum[other] = sum;
    sums.squares[other] = squares;
    sums.products[other] = products;
    sums.expressing[other] = n;
  }
  return sums;
}
