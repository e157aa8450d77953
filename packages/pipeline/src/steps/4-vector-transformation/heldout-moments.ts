import { fisher } from "./cell-correlation.ts";

/** Number of spots, Σa, Σb, Σa², Σb², Σab. */
const SUMS = 6;

/**
 * Correlation of predictions with observations over any set of held-out blocks, computed from sums over each block, so
 * that each gene is read only once. Each way to predict is a series.
 */
export class HeldoutMoments {
  readonly nBlocks: number;
  readonly #blocks: { starts: readonly number[]; nSpots: number };
  readonly #nSeries: number;
  readonly #sums: Float64Array;

  /** `starts`: start of each held-out block of spots; spots of a block are contiguous. */
  constructor(
    nGenes: number,
    nSeries: number,
    blocks: { starts: readonly number[]; nSpots: number },
  ) {
    this.nBlocks = blocks.starts.length;
    this.#blocks = blocks;
    this.#nSeries = nSeries;
    this.#sums = new Float64Array(nGenes * nSeries * this.nBlocks * SUMS);
  }

  /** Adds a gene: predictions of each series and observations, nSpots each. */
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

  /** Correlation of a gene; NaN if nothing varies. */
  correlation(gene: number, series: number): number {
    return correlationOf(this.#total(gene, series));
  }

  /** Fisher z-transform of a gene's correlation; 0 if nothing varies. */
  fisher(gene: number, series: number): number {
    return fisher(correlationOf(this.#total(gene, series)) || 0);
  }

  /** `fisher`, leaving out each block in turn, in order. */
  fisherWithoutEach(gene: number, series: number): number[] {
    const total = this.#total(gene, series);
    return Array.from({ length: this.nBlocks }, (_, block) => {
      const rest = total.slice();
      this.#addTo(rest, this.#at(gene, series, block), -1);
      return fisher(correlationOf(rest) || 0);
    });
  }

  #total(gene: number, series: number): Float64Array {
    const total = new Float64Array(SUMS);
    for (let block = 0; block < this.nBlocks; block++) {
      this.#addTo(total, this.#at(gene, series, block), 1);
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

/** Jackknife variance of a statistic from its leave-one-block-out values. */
export function jackknifeVariance(without: readonly number[]): number {
  const n = without.length;
  const mean = without.reduce((sum, value) => sum + value, 0) / n;
  return (without.reduce((sum, value) => sum + (value - mean) ** 2, 0) * (n - 1)) / n;
}

function correlationOf([n, a, b, aa, bb, ab]: Float64Array): number {
  const [varianceA, varianceB] = [aa - (a * a) / n, bb - (b * b) / n];
  // For a constant, only rounding error remains of the sums of squares.
  if (!(varianceA > 1e-12 * aa && varianceB > 1e-12 * bb)) return NaN;
  return (ab - (a * b) / n) / Math.sqrt(varianceA * varianceB);
}
