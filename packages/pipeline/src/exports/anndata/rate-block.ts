/** What a sink wants of the rates. */
export interface RateChoice {
  /** Genes, ascending; null = every gene. */
  genes: Uint32Array | null;
  /** Rates below are left out; 0 = only zeros are. */
  below: number;
  /** Whether rates and X are rounded to what they are known to; see `roundRates`. */
  rounded: boolean;
}

/** The rates of some cells as a sink is handed them. */
export interface RateBlock {
  /** Entries of each cell. */
  lengths: Uint32Array;
  /** Places among the sink's genes. */
  indices: Int32Array;
  rates: Float32Array;
  /** log1p of the rate scaled to 10,000 a cell (over all genes). */
  normalised: Float32Array;
  /** Of the sink's genes: all rates, and those left out. */
  sum: number;
  dropped: number;
}

/** X is scaled to this sum a cell, the convention of scanpy, Seurat and CellTypist. */
const TARGET_SUM = 1e4;

/** Bits of a float32's fraction that are kept: an error of 0.1 % at most, where rates are known to some percent at best. */
const KEPT_BITS = 9;
/** Most that rounding changes a rate or a value of X by, relative to it. */
export const RATE_PRECISION = 2 ** -(KEPT_BITS + 1);

/** What each sink is handed of a block of cells, from their rates of all genes (row-major). */
export function rateBlocks(
  dense: Float32Array,
  nGenes: number,
  choices: readonly RateChoice[],
): RateBlock[] {
  const nCells = dense.length / nGenes;
  const factors = new Float64Array(nCells);
  for (let cell = 0; cell < nCells; cell++) {
    let total = 0;
    for (let at = cell * nGenes; at < (cell + 1) * nGenes; at++) total += dense[at];
    factors[cell] = total > 0 ? TARGET_SUM / total : 0;
  }
  const indices = new Int32Array(dense.length);
  const rates = new Float32Array(dense.length);
  return choices.map(({ genes, below, rounded }) => {
    const lengths = new Uint32Array(nCells);
    let [n, sum, dropped] = [0, 0, 0];
    for (let cell = 0; cell < nCells; cell++) {
      const start = n;
      const row = dense.subarray(cell * nGenes, (cell + 1) * nGenes);
      const count = genes ? genes.length : nGenes;
      for (let i = 0; i < count; i++) {
        const rate = genes ? row[genes[i]] : row[i];
        sum += rate;
        if (rate >= below && rate > 0) {
          indices[n] = i;
          rates[n++] = rate;
        } else dropped += rate;
      }
      lengths[cell] = n - start;
    }
    const normalised = new Float32Array(n);
    for (let cell = 0, at = 0; cell < nCells; cell++) {
      for (const end = at + lengths[cell]; at < end; at++) {
        normalised[at] = Math.log1p(rates[at] * factors[cell]);
      }
    }
    const kept = rates.slice(0, n);
    if (rounded) {
      roundRates(kept);
      roundRates(normalised);
    }
    return { lengths, indices: indices.slice(0, n), rates: kept, normalised, sum, dropped };
  });
}

/** Rounds numbers to nine bits behind the first, half to even: what follows tells nothing and would not compress. */
export function roundRates(values: Float32Array): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const shift = 23 - KEPT_BITS;
  const half = (1 << (shift - 1)) - 1;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    words[i] = ((word + half + ((word >>> shift) & 1)) >>> shift) << shift;
  }
}
