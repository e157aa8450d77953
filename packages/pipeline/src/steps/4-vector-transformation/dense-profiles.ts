import { rangesOf } from "@stipple/numerics/ranges";
import { transposeDense } from "@stipple/numerics/dense";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { openGraph, type GraphRun } from "@stipple/numerics/onnx-graph";
import { release } from "@stipple/numerics/release";
import type { Exposure, ProfileTask } from "./profiles.ts";
import { GUARDS } from "../../model/limits.ts";

/** Fraction of nonzero counts above which dense matrix products are faster than going entry by entry. */
const DENSE = 0.05;
/** Number of counts computed at once, small enough to stay in the CPU cache. */
const TILE_COUNTS = 1 << 17;

/** Whether {@link improveDense} and {@link countSums} are worth using. */
export function isDense({ byGene }: Pick<ProfileTask, "byGene">): boolean {
  return byGene.indices.length >= DENSE * byGene.nRows * byGene.nCols;
}

/**
 * Expectation–maximization of profiles as in `solveProfiles`, but for all genes at once: both the expected counts and
 * the rate updates are matrix products. `rates` (genes × k) holds the starting values. O(rounds · genes · nSpots · k).
 */
export async function improveDense(
  { exposure, byGene, rounds }: ProfileTask,
  rates: Float64Array,
): Promise<Float32Array<ArrayBuffer>> {
  const improve = await openRounds(rounds);
  const { k, totals, captured, prior } = exposure;
  const nSpots = captured.length;
  // A separate copy: ONNX Runtime does not accept shared memory.
  const data = exposure.data.slice();
  const turned = transposeDense(data, nSpots, k);
  const mass = Float32Array.from(totals, (total) => total + prior);
  const out = await overTiles(byGene, k, (counts, from, to) => {
    const start = Float32Array.from(rates.subarray(from * k, to * k));
    return improve(
      { data: start, nCols: k },
      { data: counts, nCols: nSpots },
      { data: turned, nCols: nSpots },
      { data, nCols: k },
      { data: start.map((rate) => prior * rate), nCols: k },
      { data: mass, nCols: k },
    );
  });
  release(turned);
  release(data);
  return out;
}

/**
 * Σ_s y_sg · share_sk for every gene, genes × k. O(genes · nSpots · k).
 */
export async function countSums(
  { share, k }: Exposure,
  byGene: SparseMatrix,
): Promise<Float32Array> {
  const multiply = await (multiplying ??= openProduct());
  const data = share.slice();
  const out = await overTiles(byGene, k, (counts) =>
    multiply({ data: counts, nCols: byGene.nCols }, { data, nCols: k }),
  );
  release(data);
  return out;
}

/** Computes k numbers for every gene from its counts, a few genes at a time. */
async function overTiles(
  byGene: SparseMatrix,
  k: number,
  compute: (counts: Float32Array, from: number, to: number) => Promise<Float32Array>,
): Promise<Float32Array<ArrayBuffer>> {
  const out = new Float32Array(byGene.nRows * k);
  const tile = Math.max(8, Math.floor(TILE_COUNTS / byGene.nCols));
  for (const { from, to } of rangesOf(byGene.nRows, tile)) {
    const counts = denseCounts(byGene, from, to);
    const found = await compute(counts, from, to);
    out.set(found, from * k);
    release(found);
    release(counts);
  }
  return out;
}

let multiplying: Promise<GraphRun> | null = null;

/** Product of two matrices; opened once per thread. */
function openProduct(): Promise<GraphRun> {
  return openGraph({
    nodes: [{ operator: "MatMul", inputs: ["counts", "share"], output: "sums" }],
    inputs: [
      { name: "counts", shape: ["genes", "spots"] },
      { name: "share", shape: ["spots", "k"] },
    ],
    output: { name: "sums", shape: ["genes", "k"] },
  });
}

/** Counts of genes from … to − 1, row-major. */
export function denseCounts(byGene: SparseMatrix, from: number, to: number): Float32Array {
  const nSpots = byGene.nCols;
  const counts = new Float32Array((to - from) * nSpots);
  for (let n = byGene.indptr[from], g = from; g < to; g++) {
    for (; n < byGene.indptr[g + 1]; n++) {
      counts[(g - from) * nSpots + byGene.indices[n]] = byGene.data[n];
    }
  }
  return counts;
}

const opened = new Map<number, Promise<GraphRun>>();

/** Rounds of b ← (b ∘ (Y / (b Eᵀ)) E + prior) / mass, one row per gene; opened once per thread. */
function openRounds(rounds: number): Promise<GraphRun> {
  const known = opened.get(rounds);
  if (known) return known;
  const nodes = Array.from({ length: rounds }, (_, i) => {
    const [before, after] = [`rates${i}`, `rates${i + 1}`];
    return [
      { operator: "MatMul", inputs: [before, "turned"], output: `expected${i}` },
      { operator: "Max", inputs: [`expected${i}`, "least"], output: `possible${i}` },
      { operator: "Div", inputs: ["counts", `possible${i}`], output: `ratio${i}` },
      { operator: "MatMul", inputs: [`ratio${i}`, "exposure"], output: `gain${i}` },
      { operator: "Mul", inputs: [before, `gain${i}`], output: `gained${i}` },
      { operator: "Add", inputs: [`gained${i}`, "prior"], output: `all${i}` },
      { operator: "Div", inputs: [`all${i}`, "mass"], output: after },
    ];
  });
  const run = openGraph({
    nodes: nodes.flat(),
    constants: [{ name: "least", shape: [1, 1], data: Float32Array.of(GUARDS.MIN_EXPECTED) }],
    inputs: [
      { name: "rates0", shape: ["genes", "k"] },
      { name: "counts", shape: ["genes", "spots"] },
      { name: "turned", shape: ["k", "spots"] },
      { name: "exposure", shape: ["spots", "k"] },
      { name: "prior", shape: ["genes", "k"] },
      { name: "mass", shape: ["one", "k"] },
    ],
    output: { name: `rates${rounds}`, shape: ["genes", "k"] },
  });
  opened.set(rounds, run);
  return run;
}
