import type { SparseMatrix } from "@stipple/numerics/matrices";

/** Plain data of the weights, for threads. */
export interface WeightParts {
  graph: Pick<SparseMatrix, "indptr" | "indices">;
  share: Float64Array;
  sums: Float64Array;
  total: number;
}

/** The row-normalized graph and the quantities that do not depend on a gene. */
export class RowWeights {
  readonly n: number;
  readonly #graph: Pick<SparseMatrix, "indptr" | "indices">;
  readonly #share: Float64Array;
  /** Row sum + column sum. */
  readonly #sums: Float64Array;
  readonly #total: number;
  /** Cell values while a score is being computed: single precision, as stored, to stay in the cache. */
  readonly #dense: Float32Array;

  constructor(parts: WeightParts) {
    this.n = parts.share.length;
    this.#graph = parts.graph;
    this.#share = parts.share;
    this.#sums = parts.sums;
    this.#total = parts.total;
    this.#dense = new Float32Array(this.n);
  }

  get parts(): WeightParts {
    const [graph, share, sums, total] = [this.#graph, this.#share, this.#sums, this.#total];
    return { graph: { indptr: graph.indptr, indices: graph.indices }, share, sums, total };
  }

  static of(graph: SparseMatrix): RowWeights {
    const { nRows, indptr, indices } = graph;
    const share = Float64Array.from({ length: nRows }, (_, i) => 1 / (indptr[i + 1] - indptr[i]));
    const sums = new Float64Array(nRows);
    let total = 0;
    for (let i = 0; i < nRows; i++) {
      if (indptr[i + 1] === indptr[i]) continue;
      total += 1;
      sums[i] += 1;
      for (let k = indptr[i]; k < indptr[i + 1]; k++) sums[indices[k]] += share[i];
    }
    return new RowWeights({ graph, share, sums, total });
  }

  center(values: Float32Array): { mean: number; squares: number } {
    let [sum, squares] = [0, 0];
    for (const value of values) {
      sum += value;
      squares += value * value;
    }
    const mean = sum / this.n;
    return { mean, squares: squares - this.n * mean * mean };
  }

  /** I of the values at `rows`, zero elsewhere; NaN for a constant gene or a graph without edges. */
  score(
    rows: Uint32Array,
    values: Float32Array,
    { mean, squares }: { mean: number; squares: number },
  ): number {
    if (!(squares > 1e-9) || this.#total === 0) return NaN;
    const { indptr, indices } = this.#graph;
    const dense = this.#dense;
    for (let e = 0; e < rows.length; e++) dense[rows[e]] = values[e];
    let [products, linear] = [0, 0];
    for (let e = 0; e < rows.length; e++) {
      const i = rows[e];
      let around = 0;
      for (let k = indptr[i]; k < indptr[i + 1]; k++) around += dense[indices[k]];
      if (around !== 0) products += values[e] * around * this.#share[i];
      linear += values[e] * this.#sums[i];
    }
    for (let e = 0; e < rows.length; e++) dense[rows[e]] = 0;
    const covariance = products - mean * linear + mean * mean * this.#total;
    return ((this.n / this.#total) * covariance) / squares;
  }

  /** Cliff & Ord (1981): from S0 = Σw, S1 = ½Σ(w_ij + w_ji)², S2 = Σ(row sum + column sum)². */
  varianceUnderNormality(): number {
    const { indptr, indices } = this.#graph;
    let s1 = 0;
    for (let i = 0; i < this.n; i++) {
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        s1 += (this.#share[i] + this.#share[indices[k]]) ** 2;
      }
    }
    s1 /= 2;
    let s2 = 0;
    for (const sum of this.#sums) s2 += sum * sum;
    const { n } = this;
    const s02 = this.#total ** 2;
    return (n * n * s1 - n * s2 + 3 * s02) / ((n - 1) * (n + 1) * s02) - 1 / ((n - 1) * (n - 1));
  }

  /**
   * This graph with cells permuted: the values at cell i move to where cell order[i] was. A score on it
   * equals that of the permuted values, but memory is read in order. O(edges).
   */
  exchanged(order: Uint32Array): RowWeights {
    const { indptr, indices } = this.#graph;
    const placeOf = new Uint32Array(this.n);
    for (let i = 0; i < this.n; i++) placeOf[order[i]] = i;
    const starts = new Uint32Array(this.n + 1);
    const others = new Uint32Array(indices.length);
    let to = 0;
    for (let i = 0; i < this.n; i++) {
      for (let k = indptr[order[i]]; k < indptr[order[i] + 1]; k++)
        others[to++] = placeOf[indices[k]];
      starts[i + 1] = to;
    }
    return new RowWeights({
      graph: { indptr: starts, indices: others },
      share: this.#share.map((_, i) => this.#share[order[i]]),
      sums: this.#sums.map((_, i) => this.#sums[order[i]]),
      total: this.#total,
    });
  }

  get degree(): number {
    return this.#graph.indices.length / Math.max(1, this.n);
  }
}
