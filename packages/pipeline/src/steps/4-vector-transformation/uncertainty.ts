import type { SparseMatrix } from "@stipple/numerics/matrices";
import { pickRows } from "@stipple/numerics/dense";
import { Random } from "@stipple/numerics/random";
import { denseProduct } from "@stipple/numerics/dense-product";
import { selectValue } from "@stipple/numerics/select-value";
import { chooseColumns } from "@stipple/numerics/sparse";
import type { ExpressionFit } from "./fit-expression.ts";
import { timesPrototypes } from "../../model/prototype-sums.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import type { ProfilePool } from "./profile-pool.ts";
import { exposureOf, richnessOf } from "./profiles.ts";
import { SAMPLES } from "../../model/limits.ts";

const { BOOTSTRAPS } = SAMPLES;
/** Cells whose rates are computed together: their memberships stay in the processor's cache. */
const BLOCK = 256;

export interface RateUncertainty {
  /** nCells: coefficient of variation of λ over bootstrap samples, median over reliable genes; NaN if there is none. */
  cells: Float32Array;
  /** nGenes: median over some cells; NaN for genes without counts. */
  genes: Float32Array;
}

/**
 * Sampling uncertainty of the rates: profiles are fitted to eight bootstrap samples of the spots (Efron 1979) by
 * non-negative least squares, with memberships and efficiencies fixed. Errors in the memberships are not covered, so
 * this is a lower bound. With more than {@link SAMPLES.BOOTSTRAP_SPOTS} spots, a subset is resampled and the result is
 * scaled to the full number, since a standard error shrinks with its square root. Seeded.
 * O(entries + 8 · (entries of the subset · k + genes · k² + cells · 24 · k)).
 */
export async function rateUncertainty(
  fit: ExpressionFit,
  byGene: SparseMatrix,
  reliable: Uint8Array,
  options: {
    seed: number;
    priorCells: number;
    pool: ProfilePool;
    /** Defaults to {@link SAMPLES.BOOTSTRAP_SPOTS}. */
    mostSpots?: number;
    pause?: () => Promise<void>;
    progress?: (fraction: number) => void;
  },
): Promise<RateUncertainty> {
  const nGenes = byGene.nRows;
  const nCells = fit.membership.length / fit.k;
  const random = new Random(options.seed);
  const part = partOf(fit, byGene, options.mostSpots ?? SAMPLES.BOOTSTRAP_SPOTS, options.seed);
  const totals = spotTotals(part.byGene);
  const priorCells = options.priorCells * part.share;
  const samples: Float32Array[] = [];
  for (let b = 0; b < BOOTSTRAPS; b++) {
    const times = drawSpots(totals.length, random);
    samples.push(await sampleProfile(part, totals, times, { ...options, priorCells }));
    options.progress?.((b + 1) / BOOTSTRAPS);
  }
  const toAllSpots = Math.sqrt(part.share);
  const { k } = fit;
  const rows = new Float64Array(Math.max(SAMPLES.BOOTSTRAP_CELLS, BLOCK) * k);
  const profiles = new Float64Array(k * BOOTSTRAPS);
  const found = new Float64Array((rows.length / k) * BOOTSTRAPS);
  const someCells = pickSome(nCells, SAMPLES.BOOTSTRAP_CELLS, random);
  rows.set(pickRows(fit.membership, k, someCells));
  const genes = new Float32Array(nGenes).fill(NaN);
  const ofCells = new Float64Array(someCells.length);
  for (let g = 0; g < nGenes; g++) {
    if (g % 1000 === 0) await options.pause?.();
    if (byGene.indptr[g + 1] === byGene.indptr[g]) continue;
    gatherGene(samples, k, nGenes, g, profiles);
    denseProduct(rows, someCells.length, profiles, BOOTSTRAPS, found);
    for (let i = 0; i < someCells.length; i++) ofCells[i] = variation(found, i);
    genes[g] = toAllSpots * selectValue(ofCells, ofCells.length >> 1);
  }
  const known = Array.from(reliable.keys()).filter((g) => reliable[g]);
  const someGenes = pickSome(known.length, SAMPLES.BOOTSTRAP_GENES, random).map((i) => known[i]);
  const cells = new Float32Array(nCells).fill(NaN);
  const ofGenes = new Float64Array(someGenes.length);
  const block = new Float64Array(BLOCK * someGenes.length);
  for (let from = 0; from < nCells && someGenes.length > 0; from += BLOCK) {
    if (from % 5120 === 0) await options.pause?.();
    const n = Math.min(BLOCK, nCells - from);
    rows.set(fit.membership.subarray(from * k, (from + n) * k));
    someGenes.forEach((g, i) => {
      gatherGene(samples, k, nGenes, g, profiles);
      denseProduct(rows, n, profiles, BOOTSTRAPS, found);
      for (let c = 0; c < n; c++) block[c * ofGenes.length + i] = variation(found, c);
    });
    for (let c = 0; c < n; c++) {
      ofGenes.set(block.subarray(c * ofGenes.length, (c + 1) * ofGenes.length));
      cells[from + c] = toAllSpots * selectValue(ofGenes, ofGenes.length >> 1);
    }
  }
  return { cells, genes };
}

/** Spots from which samples are drawn. */
interface SpotPart extends Pick<ExpressionFit, "k" | "models" | "exposure"> {
  byGene: SparseMatrix;
  /** Fraction of the spots that capture cells. */
  share: number;
}

function partOf(fit: ExpressionFit, byGene: SparseMatrix, most: number, seed: number): SpotPart {
  const { k, models, exposure } = fit;
  if (byGene.nCols <= most) return { k, models, exposure, byGene, share: 1 };
  const captured = timesPrototypes(exposure, new Float64Array(k).fill(1));
  const filled = Array.from(captured.keys()).filter((s) => captured[s] > 0);
  const spots = pickSome(filled.length, most, new Random(seed)).map((i) => filled[i]);
  return {
    k,
    models,
    exposure: pickRows(exposure, k, spots),
    byGene: chooseColumns(byGene, spots),
    share: spots.length / Math.max(1, filled.length),
  };
}

/** How often each spot is drawn in a sample of the same size with replacement. */
function drawSpots(nSpots: number, random: Random): Uint8Array {
  const times = new Uint8Array(nSpots);
  for (let i = 0; i < nSpots; i++) times[random.below(nSpots)] += 1;
  return times;
}

/** Profiles (k × nGenes) of all models, concatenated, fitted to a bootstrap sample. */
async function sampleProfile(
  { byGene, ...fit }: SpotPart,
  totals: Float64Array,
  times: Uint8Array,
  options: { priorCells: number; pool: ProfilePool; pause?: () => Promise<void> },
): Promise<Float32Array> {
  const nGenes = byGene.nRows;
  const nSpots = times.length;
  const profile = new Float32Array(fit.k * nGenes);
  const drawn = totals.map((total, s) => total * times[s]);
  let at = 0;
  for (const { k, weight } of fit.models) {
    const exposure = new Float32Array(nSpots * k);
    const repeated = new Float32Array(nSpots * k);
    for (let s = 0; s < nSpots; s++) {
      for (let j = 0; j < k; j++) {
        exposure[s * k + j] = fit.exposure[s * fit.k + at + j] / weight;
        repeated[s * k + j] = times[s] * exposure[s * k + j];
      }
    }
    const richness = richnessOf(repeated, k, drawn, options.priorCells);
    const ready = exposureOf(exposure, k, { cells: options.priorCells, richness, times });
    const part = await options.pool.solve(ready, byGene, 0, { pause: options.pause });
    profile.set(part, at * nGenes);
    at += k;
  }
  return profile;
}

/** One gene's profiles in every sample, k × samples. */
function gatherGene(
  samples: readonly Float32Array[],
  k: number,
  nGenes: number,
  gene: number,
  into: Float64Array,
): void {
  samples.forEach((sample, b) => {
    for (let j = 0; j < k; j++) into[j * BOOTSTRAPS + b] = sample[j * nGenes + gene];
  });
}

/** Coefficient of variation of the i-th cell's rate over the samples; 0 if the rate is 0 in all of them. */
function variation(rates: Float64Array, i: number): number {
  let sum = 0;
  let squares = 0;
  for (let at = i * BOOTSTRAPS; at < (i + 1) * BOOTSTRAPS; at++) {
    sum += rates[at];
    squares += rates[at] * rates[at];
  }
  const mean = sum / BOOTSTRAPS;
  if (!(mean > 0)) return 0;
  return Math.sqrt(Math.max(0, squares - sum * mean) / (BOOTSTRAPS - 1)) / mean;
}

/** Up to `most` different indices below n, in ascending order. */
function pickSome(n: number, most: number, random: Random): number[] {
  if (n <= most) return Array.from({ length: n }, (_, i) => i);
  const picked = new Set<number>();
  while (picked.size < most) picked.add(random.below(n));
  return [...picked].sort((a, b) => a - b);
}
