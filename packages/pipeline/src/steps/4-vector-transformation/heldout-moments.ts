/** Correlations are kept this far from ±1 before they are transformed. */
const MOST = 0.99;
/** Number of spots, Σa, Σb, Σa², Σb², Σab. */
const SUMS = 6;

/** Where held-out blocks of spots begin; spots of a block lie side by side. */
export interface HeldoutBlocks {
  starts: readonly number[];
  nSpots: number;
}

/**
 * How predictions correlate with observations over any set of held-out blocks, from sums over every block: each gene
 * is read once. Predictions come in series, one for each way to predict.
 */
export class HeldoutMoments {
  readonly nGenes: number;
  readonly nBlocks: number;
  readonly #blocks: HeldoutBlocks;
  readonly #nSeries: number;
  readonly #sums: Float64Array;

  constructor(nGenes: number, nSeries: number, blocks: HeldoutBlocks) {
    this.nGenes = nGenes;
    this.nBlocks = blocks.starts.length;
    this.#blocks = blocks;
    this.#nSeries = nSeries;
    this.#sums = new Float64Array(nGenes * nSeries * this.nBlocks * SUMS);
  }

  /** Takes a gene in: what each series predicts and what was observed, nSpots each. */
  add(gene: number, series: readonly Float32Array[], observed: Float32Array): void {
    const { starts, nSpots } = this.#blocks;
    for (let i = 0; i < this.#nSeries; i++) {
      const predicted = series[i];
      for (let block = 0; block < this.nBlocks; block++) {
        const end = starts[block + 1] ?? nSpots;
        let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
        for (let s = starts[block]; s < end; s++) {
          const [x, y] = [predicted[s], observed[s]];
          a += x;
          b += y;
          aa += x * x;
          bb += y * y;
          ab += x * y;
        }
        this.#sums.set([end - starts[block], a, b, aa, bb, ab], this.#at(gene, i, block));
      }
    }
  }

  /** Correlation of a gene where each block has its own series; NaN where nothing varies. */
  correlation(gene: number, seriesOf: (block: number) => number): number {
    const total = new Float64Array(SUMS);
    for (let block = 0; block < this.nBlocks; block++) {
      this.#addTo(total, this.#at(gene, seriesOf(block), block), 1);
    }
    return correlationOf(total);
  }

  /** Fisher's transform of a gene's correlation in some of the blocks; 0 where nothing varies. */
  fisher(gene: number, series: number, blocks: readonly boolean[]): number {
    return fisherOf(this.#total(gene, series, blocks));
  }

  /** The same when each of these blocks is left out in turn, in order. */
  fisherWithoutEach(gene: number, series: number, blocks: readonly boolean[]): number[] {
    const total = this.#total(gene, series, blocks);
    const values: number[] = [];
    for (let block = 0; block < this.nBlocks; block++) {
      if (!blocks[block]) continue;
      const rest = total.slice();
      this.#addTo(rest, this.#at(gene, series, block), -1);
      values.push(fisherOf(rest));
    }
    return values;
  }

  #total(gene: number, series: number, blocks: readonly boolean[]): Float64Array {
    const total = new Float64Array(SUMS);
    for (let block = 0; block < this.nBlocks; block++) {
      if (blocks[block]) this.#addTo(total, this.#at(gene, series, block), 1);
    }
    return total;
  }

  #at(gene: number, series: number, block: number): number {
    return ((gene * this.#nSeries + series) * this.nBlocks + block) * SUMS;
  }

  #addTo(total: Float64Array, at: number, sign: number): void {
    for (let i = 0; i < SUMS; i++) total[i] += sign * this.#sums[at + i];
  }
}

/** Jackknife variance of a statistic from its values when each block is left out in turn. */
export function jackknifeVariance(without: readonly number[]): number {
  const n = without.length;
  const mean = without.reduce((sum, value) => sum + value, 0) / n;
  return (without.reduce((sum, value) => sum + (value - mean) ** 2, 0) * (n - 1)) / n;
}

function correlationOf([n, a, b, aa, bb, ab]: Float64Array): number {
  const [varianceA, varianceB] = [aa - (a * a) / n, bb - (b * b) / n];
  // What sums of squares leave of a constant is rounding.
  if (!(varianceA > 1e-12 * aa && varianceB > 1e-12 * bb)) return NaN;
  return (ab - (a * b) / n) / Math.sqrt(varianceA * varianceB);
}

function fisherOf(sums: Float64Array): number {
  return Math.atanh(Math.max(-MOST, Math.min(MOST, correlationOf(sums) || 0)));
}
