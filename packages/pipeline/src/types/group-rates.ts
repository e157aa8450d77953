import type { SparseMatrix } from "@stipple/numerics/matrices";
import { spotTotals } from "../model/spot-totals.ts";
import { Random } from "@stipple/numerics/random";
import type { FitThreads } from "./fit-threads.ts";
import { ratesOfGenes } from "./group-rates-task.ts";

/** Maximum number of spots for fitting the rates of groups, drawn at random. */
const MAX_SPOTS = 3_000;
/** Weight of the prior that a group has the overall rate of the sample, in expected UMIs. */
const PRIOR_UMIS = 3;
const STEPS = 40;
/** Counts are weighted by 1/(1 + DISPERSION · mean), because the cells of a group differ. */
export const DISPERSION = 0.05;

/** Counts of the spots and the cells that each one captures. */
export interface ObservedSpots {
  /** A, nSpots × nCells. */
  overlap: SparseMatrix;
  /** nGenes × nSpots, UMIs as counted. */
  byGene: SparseMatrix;
  /** 1 = part of the cell lies in a spot. */
  observed: Uint8Array;
  seed: number;
  /** Threads that share the genes of a large sample; none by default. */
  others?: FitThreads | undefined;
}

/** Shares of groups of cells in what each spot captures, and the spot's UMIs. */
export interface SpotShares {
  nGroups: number;
  /** nSpots × nGroups, groups ascending; rows sum to 1, or are empty without cells. Most spots contain few groups. */
  share: SparseMatrix;
  /** nSpots, and their sum. */
  totals: Float64Array;
  all: number;
}

/** O(entries). `groupOf`: 0 … nGroups − 1 for every cell. */
export function spotShares(
  { overlap, byGene }: ObservedSpots,
  groupOf: Int32Array,
  nGroups: number,
): SpotShares {
  const { nRows, indptr, indices, data } = overlap;
  const starts = new Uint32Array(nRows + 1);
  const groups = new Uint32Array(indices.length);
  const shares = new Float32Array(indices.length);
  const captured = new Float32Array(nGroups);
  /** One more than the last spot that contains the group. */
  const metIn = new Uint32Array(nGroups);
  for (let s = 0, to = 0; s < nRows; s++) {
    const first = to;
    let sum = 0;
    for (let k = indptr[s]; k < indptr[s + 1]; k++) {
      const group = groupOf[indices[k]];
      if (metIn[group] !== s + 1) {
        metIn[group] = s + 1;
        captured[group] = 0;
        groups[to++] = group;
      }
      captured[group] += data[k];
      sum += data[k];
    }
    if (!(sum > 0)) to = first;
    groups.subarray(first, to).sort();
    for (let e = first; e < to; e++) shares[e] = captured[groups[e]] / sum;
    starts[s + 1] = to;
  }
  const n = starts[nRows];
  const share: SparseMatrix = {
    nRows,
    nCols: nGroups,
    indptr: starts,
    indices: groups.slice(0, n),
    data: shares.slice(0, n),
  };
  const totals = spotTotals(byGene);
  return { nGroups, share, totals, all: totals.reduce((a, b) => a + b, 0) };
}

/** The spots used to fit rates, in order. */
export interface SampledSpots {
  nGroups: number;
  /** Spots × nGroups. */
  share: Float64Array;
  /** UMIs of each spot, and in total. */
  totals: Float64Array;
  all: number;
}

/** Samples up to 3,000 spots with counts and cells; `countsOf` reads a gene's UMIs in them. */
export function sampleSpots(
  { overlap, byGene, seed }: ObservedSpots,
  { nGroups, share, totals }: SpotShares,
): { sample: SampledSpots; countsOf(gene: number): Float32Array } {
  const used: number[] = [];
  for (let s = 0; s < totals.length; s++) {
    if (totals[s] > 0 && overlap.indptr[s] < overlap.indptr[s + 1]) used.push(s);
  }
  const order = Uint32Array.from(used);
  new Random(seed).shuffle(order);
  const taken = order.subarray(0, MAX_SPOTS);
  const sample: SampledSpots = {
    nGroups,
    share: new Float64Array(taken.length * nGroups),
    totals: Float64Array.from(taken, (s) => totals[s]),
    all: 0,
  };
  const placeOf = new Int32Array(totals.length).fill(-1);
  taken.forEach((s, place) => {
    for (let e = share.indptr[s]; e < share.indptr[s + 1]; e++) {
      sample.share[place * nGroups + share.indices[e]] = share.data[e];
    }
    sample.all += totals[s];
    placeOf[s] = place;
  });
  return {
    sample,
    countsOf(gene) {
      const counts = new Float32Array(taken.length);
      for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
        const place = placeOf[byGene.indices[k]];
        if (place >= 0) counts[place] = byGene.data[k];
      }
      return counts;
    },
  };
}

/**
 * Each gene's share q of each group's UMIs, relative to its share p in all spots: y ~ Poisson(n Σ f q), fitted by
 * expectation–maximization with a gamma prior around p. genes.length × nGroups; 1 for genes without counts.
 * O(genes · spots · groups · 40), spots at most 3,000.
 */
export function relativeRates(
  spots: ObservedSpots,
  shares: SpotShares,
  genes: readonly number[],
): Float64Array {
  const { sample, countsOf } = sampleSpots(spots, shares);
  const { nGroups } = sample;
  const rates = new Float64Array(genes.length * nGroups);
  genes.forEach((gene, at) => rates.set(ratesOfGene(sample, countsOf(gene)), at * nGroups));
  return rates;
}

/** Genes between pauses, or per task. */
const TURN = 16;
/** Multiplications above which threads are worth starting. */
const WORTH_THREADS = 5e7;

/** `relativeRates`, bit for bit, with pauses, which receive the fraction done, or on threads. */
export async function relativeRatesInTurns(
  spots: ObservedSpots,
  shares: SpotShares,
  genes: readonly number[],
  pause: (fraction: number) => Promise<void>,
): Promise<Float64Array> {
  const { sample, countsOf } = sampleSpots(spots, shares);
  const { nGroups } = sample;
  const rates = new Float64Array(genes.length * nGroups);
  const nSpots = sample.totals.length;
  const { others } = spots;
  const worth = others?.worthThreads ?? WORTH_THREADS;
  if (others && others.tasks.parallel > 1 && genes.length * nSpots * nGroups * STEPS >= worth) {
    await pause(0);
    const inputs = {
      length: Math.ceil(genes.length / TURN),
      areOwn: true,
      at: (index: number) => {
        const some = genes.slice(index * TURN, (index + 1) * TURN);
        const counts = new Float32Array(some.length * nSpots);
        some.forEach((gene, i) => counts.set(countsOf(gene), i * nSpots));
        return { counts };
      },
    };
    const { tasks, signal } = others;
    const parts = await tasks.map(ratesOfGenes, { shared: sample, inputs }, { signal });
    parts.forEach((part, index) => rates.set(part, index * TURN * nGroups));
    return rates;
  }
  for (const [at, gene] of genes.entries()) {
    if (at % TURN === 0) await pause(at / genes.length);
    rates.set(ratesOfGene(sample, countsOf(gene)), at * nGroups);
  }
  return rates;
}

/** {@link relativeRates} of one gene from its counts in the sampled spots. */
export function ratesOfGene(
  { nGroups, share, totals, all }: SampledSpots,
  counts: Float32Array,
): Float64Array {
  const own = new Float64Array(nGroups).fill(1);
  let [sum, n] = [0, 0];
  for (const count of counts) {
    sum += count;
    if (count > 0) n++;
  }
  if (sum === 0) return own;
  const p = sum / all;
  const given = new Float64Array(nGroups).fill(PRIOR_UMIS);
  // Copy the spots with counts of the gene side by side, because every step reads them.
  const weighted = new Float64Array(n);
  const seen = new Float64Array(n * nGroups);
  for (let s = 0, to = 0; s < totals.length; s++) {
    const row = share.subarray(s * nGroups, (s + 1) * nGroups);
    const expected = totals[s] * p;
    const weight = expected / (1 + DISPERSION * expected);
    for (let j = 0; j < nGroups; j++) given[j] += weight * row[j];
    if (!(counts[s] > 0)) continue;
    weighted[to] = counts[s] / (1 + DISPERSION * totals[s] * p);
    seen.set(row, nGroups * to++);
  }
  const found = new Float64Array(nGroups);
  for (let step = 0; step < STEPS; step++) {
    found.fill(PRIOR_UMIS);
    gather(seen, weighted, own, found);
    for (let j = 0; j < nGroups; j++) own[j] = found[j] / given[j];
  }
  return own;
}

/** Divides each spot's counts among groups in proportion to their parts of its mean. Sums four spots in parallel. */
function gather(
  seen: Float64Array,
  weighted: Float64Array,
  own: Float64Array,
  found: Float64Array,
): void {
  const k = own.length;
  const n = weighted.length;
  const part = (s: number, mean: number): number => (mean > 0 ? weighted[s] / mean : 0);
  let s = 0;
  for (; s + 3 < n; s += 4) {
    const [a, b, c, d] = [s * k, (s + 1) * k, (s + 2) * k, (s + 3) * k];
    let [m0, m1, m2, m3] = [0, 0, 0, 0];
    for (let j = 0; j < k; j++) {
      const rate = own[j];
      m0 += seen[a + j] * rate;
      m1 += seen[b + j] * rate;
      m2 += seen[c + j] * rate;
      m3 += seen[d + j] * rate;
    }
    const [w0, w1, w2, w3] = [part(s, m0), part(s + 1, m1), part(s + 2, m2), part(s + 3, m3)];
    for (let j = 0; j < k; j++) {
      const rate = own[j];
      found[j] =
        found[j] +
        w0 * seen[a + j] * rate +
        w1 * seen[b + j] * rate +
        w2 * seen[c + j] * rate +
        w3 * seen[d + j] * rate;
    }
  }
  for (; s < n; s++) {
    let mean = 0;
    for (let j = 0; j < k; j++) mean += seen[s * k + j] * own[j];
    const weight = part(s, mean);
    for (let j = 0; j < k; j++) found[j] += weight * seen[s * k + j] * own[j];
  }
}
