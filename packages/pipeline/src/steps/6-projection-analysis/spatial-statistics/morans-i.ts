import type { SparseMatrix } from "../../../fields.ts";
import { adjustForFalseDiscovery } from "../../../numerics/false-discovery.ts";
import { normalUpperTail } from "../../../numerics/normal-tail.ts";
import { Random } from "../../../numerics/random.ts";
import type { Maybe, MoranTable } from "@stipple/contract/statistical-facts";
import type { GeneValues } from "./gene-values.ts";
import { partOf, pauses, type Work } from "./work.ts";

export interface MoranOptions extends Work {
  /** Number of genes, by highest I, that also get a permutation test. */
  permutedGenes: number;
  permutations: number;
}

/** Maximum number of permuted-value products; above it, fewer permutations are used (at least 99). */
const PERMUTATION_WORK = 3e9;
const FEWEST_PERMUTATIONS = 99;

/**
 * Moran's I of every gene over a row-normalized graph (n × n): I = n/W · Σ w_ij z_i z_j / Σ z_i², z centered.
 * Variance under normality and one-tailed p (Cliff & Ord 1981) as in squidpy; the genes with the highest I are
 * also compared with seeded permutations of the cells. Zeros enter through the row sums of the graph, so a gene
 * costs O(its entries · degree).
 */
export async function moransI(
  graph: SparseMatrix,
  genes: Iterable<GeneValues>,
  nGenes: number,
  names: readonly string[],
  options: MoranOptions,
): Promise<MoranTable> {
  const pause = pauses(options);
  const weights = RowWeights.of(graph);
  const { n } = weights;
  const scored: { gene: number; score: number }[] = [];
  let top: (GeneValues & { score: number })[] = [];
  const scan = partOf(options, 0, 0.5);
  for (const { gene, rows, values } of genes) {
    scan.progress(scored.length / nGenes);
    await pause();
    const score = weights.score(rows, values, weights.centre(values));
    if (Number.isNaN(score)) continue;
    scored.push({ gene, score });
    if (top.length < options.permutedGenes || score > top[top.length - 1].score) {
      top.push({ gene, score, rows: rows.slice(), values: values.slice() });
      top.sort((a, b) => b.score - a.score);
      top = top.slice(0, options.permutedGenes);
    }
  }
  scored.sort((a, b) => b.score - a.score || a.gene - b.gene);
  const variance = weights.varianceUnderNormality();
  const z = scored.map(({ score }) => (score + 1 / (n - 1)) / Math.sqrt(variance));
  const pNormal = z.map((value) => normalUpperTail(Math.abs(value)));
  const simulated = await permute(weights, top, partOf(options, 0.5, 1), options.permutations);
  const of = (pick: (s: Simulated) => number): Maybe[] =>
    scored.map(({ gene }) => {
      const found = simulated.byGene.get(gene);
      return found ? pick(found) : null;
    });
  return {
    genes: scored.map(({ gene }) => names[gene]),
    I: scored.map(({ score }) => score),
    variance,
    z,
    pNormal,
    fdr: [...adjustForFalseDiscovery(pNormal)],
    permutations: simulated.permutations,
    pSimulated: of((s) => s.p),
    pZSimulated: of((s) => s.pZ),
    varianceSimulated: of((s) => s.variance),
  };
}

interface WeightParts {
  graph: Pick<SparseMatrix, "indptr" | "indices">;
  share: Float64Array;
  sums: Float64Array;
  total: number;
}

/** The row-normalized graph and the quantities that do not depend on a gene. */
class RowWeights {
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

  centre(values: Float32Array): { mean: number; squares: number } {
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
   * The same graph with cells permuted: the values at cell i move to where cell order[i] was. A score on it
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

interface Simulated {
  p: number;
  pZ: number;
  variance: number;
}

/** Each permutation is used for all genes. Cells are shuffled; the graph stays fixed. */
async function permute(
  weights: RowWeights,
  genes: readonly (GeneValues & { score: number })[],
  work: Work,
  wanted: number,
): Promise<{ permutations: number; byGene: Map<number, Simulated> }> {
  const pause = pauses(work);
  const entries = genes.reduce((sum, { rows }) => sum + rows.length, 0);
  const affordable = Math.floor(PERMUTATION_WORK / Math.max(1, entries * (weights.degree + 2)));
  const permutations = Math.min(wanted, Math.max(FEWEST_PERMUTATIONS, affordable));
  const random = new Random(work.seed);
  const order = Uint32Array.from({ length: weights.n }, (_, i) => i);
  const centres = genes.map(({ values }) => weights.centre(values));
  const sums = new Float64Array(genes.length);
  const squares = new Float64Array(genes.length);
  const above = new Uint32Array(genes.length);
  for (let permutation = 0; permutation < permutations; permutation++) {
    work.progress(permutation / permutations);
    random.shuffle(order);
    const exchanged = weights.exchanged(order);
    for (const [g, { rows, values, score }] of genes.entries()) {
      const value = exchanged.score(rows, values, centres[g]);
      sums[g] += value;
      squares[g] += value * value;
      if (value >= score) above[g] += 1;
      await pause();
    }
  }
  const byGene = new Map<number, Simulated>();
  genes.forEach(({ gene, score }, g) => {
    const mean = sums[g] / permutations;
    const variance = Math.max(0, squares[g] / permutations - mean * mean);
    byGene.set(gene, {
      // The tail on the side of the score.
      p: (Math.min(above[g], permutations - above[g]) + 1) / (permutations + 1),
      pZ: normalUpperTail(Math.abs(score - mean) / Math.sqrt(variance)),
      variance,
    });
  });
  return { permutations, byGene };
}
