import type { SparseMatrix } from "@stipple/numerics/matrices";
import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import { normalUpperTail } from "@stipple/numerics/normal-tail";
import { Random } from "@stipple/numerics/random";
import type { Maybe, MoranTable } from "@stipple/contract/statistical-facts";
import type { GeneValues } from "./gene-values.ts";
import { type PermutedGenes, scorePermutations, scoresOf } from "./score-permutations.ts";
import { RowWeights } from "./row-weights.ts";
import { partOf, pauses, type Work } from "./work.ts";

export interface MoranOptions extends Work {
  /** Number of genes, by highest I, that also get a permutation test. */
  permutedGenes: number;
  permutations: number;
}

/** Maximum number of permuted-value products; above it, fewer permutations are used (at least 99). */
const PERMUTATION_WORK = 3e9;
const MIN_PERMUTATIONS = 99;

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
    const score = weights.score(rows, values, weights.center(values));
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

interface Simulated {
  p: number;
  pZ: number;
  variance: number;
}

/** Values of permutations above which threads are worth starting. */
const WORTH_THREADS = 1e8;
/** Permutations per task. */
const TOGETHER = 8;

/** Each permutation is used for all genes. Cells are shuffled; the graph stays fixed. */
async function permute(
  weights: RowWeights,
  genes: readonly (GeneValues & { score: number })[],
  work: Work,
  wanted: number,
): Promise<{ permutations: number; byGene: Map<number, Simulated> }> {
  const entries = genes.reduce((sum, { rows }) => sum + rows.length, 0);
  const cost = entries * (weights.degree + 2);
  const affordable = Math.floor(PERMUTATION_WORK / Math.max(1, cost));
  const permutations = Math.min(wanted, Math.max(MIN_PERMUTATIONS, affordable));
  const sums = new Float64Array(genes.length);
  const squares = new Float64Array(genes.length);
  const above = new Uint32Array(genes.length);
  let permutation = 0;
  for await (const scores of permutedScores(weights, genes, work, { permutations, cost })) {
    for (let from = 0; from < scores.length; from += genes.length) {
      work.progress(permutation++ / permutations);
      genes.forEach(({ score }, g) => {
        const value = scores[from + g];
        sums[g] += value;
        squares[g] += value * value;
        if (value >= score) above[g] += 1;
      });
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

/** Scores of some permutations at a time, permutations × genes, in order; on threads if the work is worth it. */
async function* permutedScores(
  weights: RowWeights,
  genes: readonly GeneValues[],
  work: Work,
  { permutations, cost }: { permutations: number; cost: number },
): AsyncGenerator<Float64Array> {
  const { tasks, signal } = work;
  const random = new Random(work.seed);
  const order = Uint32Array.from({ length: weights.n }, (_, i) => i);
  const shuffled = (): Uint32Array => {
    random.shuffle(order);
    return order;
  };
  const shared: PermutedGenes = {
    weights: weights.parts,
    genes: genes.map(({ rows, values }) => ({ rows, values, center: weights.center(values) })),
  };
  if (tasks?.isWorth(permutations * cost, WORTH_THREADS)) {
    const inputs = {
      length: Math.ceil(permutations / TOGETHER),
      at: (index: number) =>
        Array.from({ length: Math.min(TOGETHER, permutations - index * TOGETHER) }, () =>
          shuffled().slice(),
        ),
    };
    yield* tasks.inOrder(scorePermutations, { shared, inputs }, { signal });
    return;
  }
  const pause = pauses(work);
  for (let permutation = 0; permutation < permutations; permutation++) {
    yield await scoresOf(weights, shared.genes, shuffled(), pause);
  }
}
