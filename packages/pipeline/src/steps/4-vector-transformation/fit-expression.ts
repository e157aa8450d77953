import { progressParts } from "../../engine/progress-parts.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { keepColumns } from "@stipple/numerics/sparse";
import { exposeSpots } from "./gate.ts";
import { efficienciesOf, learnMembership } from "./learn-membership.ts";
import { openProfilePool, type ProfilePool } from "./profile-pool.ts";
import { exposureOf, richnessOf } from "./profiles.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import type { FitThreads } from "../../types/fit-threads.ts";

type Points = { readonly data: ArrayLike<number>; readonly nRows: number };

/** M for one grouping of the cells, nCells × k; rows sum to 1. */
export interface Membership {
  data: Float32Array;
  k: number;
}

/** Data the model is fitted to. */
export interface TissueData {
  /** A, nSpots × nCells; spots with an empty row are ignored. */
  overlap: SparseMatrix;
  /** nGenes × nSpots counts. */
  byGene: SparseMatrix;
  /** Standardized morphology, nCells × nCols. */
  features: { data: Float32Array; nCols: number };
  /** Groups of cells that look alike, found without using counts; empty if there are no features. */
  looks: readonly Membership[];
  cellsXy: Points;
  spotsXy: Points;
  /** nSpots × nCols. */
  spotPca: { data: Float32Array; nCols: number };
  /** Excess of `byGene`, see {@link geneExcess}; computed if omitted. */
  excess?: Float64Array;
  /** Dispersion beyond Poisson common to all genes, see countDispersion; 0 by default. */
  dispersion?: number;
  /** Distance between neighboring spots, px. */
  pitchPx: number;
  /** Whether spots differ in efficiency (HD bins are normalized beforehand, by row and column). */
  unevenSpots: boolean;
}

/**
 * Source of a cell's membership in the prototypes: "learned" maps its look and location, trained on the spot counts;
 * "looks" uses its group of similar-looking cells; "place" uses only the surrounding spots.
 */
export const PARTS = ["learned", "looks", "place"] as const;
export type Part = (typeof PARTS)[number];
/** Weight of each part in the model; they sum to 1. */
export type PartWeights = Record<Part, number>;

export interface FitOptions {
  seed: number;
  prototypes: number;
  gateGenes: number;
  gateSteps: number;
  /** Prior precision of the gate's weights, per unit of information in a spot. */
  gateDecay: number;
  /** Rounds of expectation–maximization. */
  rounds: number;
  /** Weight of the prior on profiles, in captured cells. */
  priorCells: number;
  /** Number of fits of a part, with different prototypes, to average. */
  fits: number;
  /** Spots to use; all by default. */
  use?: Uint8Array;
  /** Memberships of the learned part, one per fit, if they are learned elsewhere. */
  learned?: readonly Promise<Membership>[] | undefined;
  /** Worker threads that fit profiles; none by default. */
  pool?: ProfilePool;
  /** Worker threads that do whole fits side by side; none by default. */
  others?: FitThreads | undefined;
  progress?: (fraction: number) => void;
  /** Called when every part is trained and only profiles remain to be fitted (by worker threads if there is a pool). */
  trained?: () => void;
  /** Yields to other work and throws if the analysis was canceled; called every fraction of a second. */
  pause?: () => Promise<void> | void;
}

/** λ = MB as a weighted mean of models, stored side by side. */
export interface ExpressionFit {
  k: number;
  /** M, nCells × k. */
  membership: Float32Array;
  /** B, k × nGenes. */
  profile: Float32Array;
  /** e, nSpots; 1 where nothing is known. */
  efficiency: Float32Array;
  /** diag(e)AM, nSpots × k. */
  exposure: Float32Array;
  /** The models in order, each with its number of prototypes and weight. */
  models: { k: number; weight: number }[];
}

/** Approximate relative cost of fitting each part; only "learned" is trained. */
const COST: Record<Part, number> = { learned: 4, looks: 1, place: 1 };

/** Number of prototypes that a given number of usable spots can resolve. */
export function prototypesFor(nSpots: number, most: number): number {
  return Math.max(2, Math.min(most, Math.round(Math.sqrt(nSpots))));
}

/**
 * Fits Y_sg ~ Poisson(e_s Σ_c A_sc Σ_k M_ck B_kg) once for each part with positive weight and stores the fits side by
 * side: λ is their weighted mean. Deterministic given the seed; no I/O.
 */
export async function fitExpression(
  tissue: TissueData,
  weights: PartWeights,
  options: FitOptions,
): Promise<ExpressionFit> {
  const jobs = PARTS.filter((part) => weights[part] > 0).flatMap((part) => {
    const fits =
      part === "looks"
        ? Math.min(options.fits, tissue.looks.length)
        : part === "place"
          ? 1
          : options.fits;
    return Array.from({ length: fits }, (_, i) => ({ part, i, weight: weights[part] / fits }));
  });
  const cost = jobs.reduce((sum, { part }) => sum + COST[part], 0);
  const progress = progressParts(
    jobs.map(({ part }) => COST[part] / cost),
    (done) => options.progress?.(done),
  );
  let untrained = jobs.length;
  const trained = (): void => {
    if (--untrained === 0) options.trained?.();
  };
  const { use } = options;
  const counts = use ? keepColumns(tissue.byGene, use) : tissue.byGene;
  const spots = {
    overlap: use ? maskRows(tissue.overlap, use) : tissue.overlap,
    counts,
    totals: spotTotals(counts),
  };
  // Concurrently: while this thread trains a gate, worker threads fit the profiles of the parts that need none.
  const fits = await Promise.all(
    jobs.map(async ({ part, i, weight }, job) => ({
      fit: await fitPart(tissue, spots, part, i, { ...options, progress: progress[job], trained }),
      weight,
    })),
  );
  return meanOfFits(fits);
}

/** The i-th fit of one part alone, to some spots: their cells, counts, and sums. */
async function fitPart(
  tissue: TissueData,
  {
    overlap,
    counts,
    totals,
  }: { overlap: SparseMatrix; counts: SparseMatrix; totals: Float64Array },
  part: Part,
  i: number,
  options: FitOptions,
): Promise<ExpressionFit> {
  const { use, pause, progress } = options;
  const members =
    part === "looks"
      ? tissue.looks[i]
      : part === "learned" && options.learned
        ? await options.learned[i]
        : await learnMembership(tissue, part, i, { ...options, overlap, counts });
  await pause?.();
  const { k } = members;
  const efficiency = efficienciesOf(tissue, { overlap, totals }, members);
  options.trained?.();
  const fit = await fitProfilesOf(
    members,
    { overlap, efficiency, counts, totals },
    { ...options, progress: (fraction) => progress?.(0.6 + 0.4 * fraction) },
  );
  return use ? { ...fit, exposure: exposeSpots(tissue.overlap, members.data, k, efficiency) } : fit;
}

/** The profiles of given memberships, fitted to spots with given efficiencies. */
export async function fitProfilesOf(
  { data, k }: Membership,
  spots: {
    overlap: SparseMatrix;
    efficiency: Float32Array;
    /** nGenes × nSpots, and the spots' sums. */
    counts: SparseMatrix;
    totals: Float64Array;
  },
  options: Pick<FitOptions, "priorCells" | "rounds" | "pool" | "pause" | "progress">,
): Promise<ExpressionFit> {
  const { overlap, efficiency, counts, totals } = spots;
  const { priorCells, rounds, pause, progress } = options;
  const exposure = exposeSpots(overlap, data, k, efficiency);
  const richness = richnessOf(exposure, k, totals, priorCells);
  const ready = exposureOf(exposure, k, { cells: priorCells, richness });
  const pool = options.pool ?? openProfilePool();
  const profile = await pool.solve(ready, counts, rounds, {
    pause,
    progress: (fraction) => progress?.(fraction),
  });
  return { k, membership: data, profile, efficiency, exposure, models: [{ k, weight: 1 }] };
}

/** Weighted mean of several fits as one model: memberships scaled by weight and concatenated. */
export function meanOfFits(fits: readonly { fit: ExpressionFit; weight: number }[]): ExpressionFit {
  const k = fits.reduce((sum, { fit }) => sum + fit.k, 0);
  const profile = new Float32Array(fits.reduce((sum, { fit }) => sum + fit.profile.length, 0));
  let at = 0;
  for (const { fit } of fits) {
    profile.set(fit.profile, at);
    at += fit.profile.length;
  }
  return {
    k,
    membership: sideBySide(fits, "membership", k),
    profile,
    exposure: sideBySide(fits, "exposure", k),
    efficiency: fits[0].fit.efficiency.map((_, s) =>
      fits.reduce((sum, { fit, weight }) => sum + weight * fit.efficiency[s], 0),
    ),
    models: fits.flatMap(({ fit, weight }) =>
      fit.models.map((model) => ({ k: model.k, weight: weight * model.weight })),
    ),
  };
}

function sideBySide(
  fits: readonly { fit: ExpressionFit; weight: number }[],
  part: "membership" | "exposure",
  k: number,
): Float32Array {
  const nRows = fits[0].fit[part].length / fits[0].fit.k;
  const out = new Float32Array(nRows * k);
  let at = 0;
  for (const { fit, weight } of fits) {
    const from = fit[part];
    for (let i = 0; i < nRows; i++) {
      for (let j = 0; j < fit.k; j++) out[i * k + at + j] = weight * from[i * fit.k + j];
    }
    at += fit.k;
  }
  return out;
}

/** The matrix with rows emptied where `use` is 0. */
function maskRows(matrix: SparseMatrix, use: Uint8Array): SparseMatrix {
  const data = matrix.data.slice();
  for (let s = 0; s < matrix.nRows; s++) {
    if (!use[s]) data.fill(0, matrix.indptr[s], matrix.indptr[s + 1]);
  }
  return { ...matrix, data };
}
