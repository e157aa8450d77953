import type { SparseMatrix } from "../../fields.ts";
import { transpose } from "../../numerics/sparse.ts";
import { designMatrix, standardise } from "./cell-features.ts";
import { exposeSpots, trainGate } from "./gate.ts";
import { informativeGenes } from "./informative-genes.ts";
import { interpolate, nearestSpots } from "./nearest-spots.ts";
import {
  exposureOf,
  fitProfiles,
  leastSquaresProfile,
  type Exposure,
  type ProfileFit,
} from "./profiles.ts";
import { membership, prototypeGate, type Gate } from "./prototypes.ts";
import { multiplyDense } from "../../numerics/sparse.ts";
import { supervise } from "./supervision.ts";

type Points = { readonly data: ArrayLike<number>; readonly nRows: number };

/** Everything the model is fitted to. */
export interface TissueData {
  /** A, nSpots × nCells; a spot whose row is empty takes no part. */
  overlap: SparseMatrix;
  /** nGenes × nSpots counts. */
  byGene: SparseMatrix;
  /** Standardised morphology, nCells × nCols. */
  features: { data: Float32Array; nCols: number };
  cellsXy: Points;
  spotsXy: Points;
  /** nSpots × nCols. */
  spotPca: { data: Float32Array; nCols: number };
  /** Reach of the interpolation between spots, px. */
  lengthPx: number;
}

/** How far the fit may trust morphology; chosen on held-out spots. */
export interface Trust {
  /** Whether morphological features take part at all. */
  morphology: boolean;
  /** Prior precision of the gate's weights per unit of information that a spot carries. */
  decay: number;
}

export interface FitOptions {
  seed: number;
  prototypes: number;
  gateGenes: number;
  gateSteps: number;
  /** Rounds of expectation–maximisation after least squares. */
  rounds: number;
  /** Spots that may be used, all by default. */
  use?: Uint8Array;
  progress?: (fraction: number) => void;
  /** Lets others run and throws when the analysis was cancelled; called every fraction of a second. */
  pause?: () => Promise<void>;
}

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
  /** Ridge penalty chosen. */
  alpha: number;
  nInformative: number;
}

/** Spot components that enter φ. */
const COMPONENTS = 10;
const SUPERVISED_DIMS = 12;
/** Shrinks e towards 1: part of a spot's surplus is noise. */
const EFFICIENCY_POWER = 0.8;

/** How many prototypes a number of usable spots can tell apart. */
export function prototypesFor(nSpots: number, most: number): number {
  return Math.max(2, Math.min(most, Math.round(Math.sqrt(nSpots))));
}

/** A fit up to its gate: all that does not depend on how far morphology is trusted. */
export interface PreparedFit {
  tissue: TissueData;
  phi: { data: Float32Array; nCols: number };
  /** Overlap and counts of the spots in use. */
  overlap: SparseMatrix;
  counts: SparseMatrix;
  start: Gate;
  efficiency: Float32Array;
  genes: readonly number[];
  /** Σ excess of the informative genes: the information a spot carries. */
  information: number;
  alpha: number;
}

/** Features → supervised space → prototypes → spot efficiencies. Deterministic in the seed. */
export async function prepareFit(
  tissue: TissueData,
  morphology: boolean,
  options: FitOptions,
): Promise<PreparedFit> {
  const { byGene, spotsXy, cellsXy, lengthPx } = tissue;
  const { use, pause } = options;
  const overlap = use ? maskRows(tissue.overlap, use) : tissue.overlap;
  const counts = use ? maskColumns(byGene, use) : byGene;
  const near = nearestSpots(cellsXy, spotsXy, { lengthPx, width: 7, use, always: true });
  const components = Math.min(COMPONENTS, tissue.spotPca.nCols);
  const smooth = interpolate(near, leadingColumns(tissue.spotPca, components), components);
  const phi = designMatrix(cellsXy.nRows, [
    ...(morphology ? [tissue.features] : []),
    standardise(smooth, cellsXy.nRows, components),
  ]);
  await pause?.();
  const { genes, excess } = informativeGenes(counts, options.gateGenes);
  const design = multiplyDense(overlap, phi.data, phi.nCols);
  const supervision = supervise(phi, design, counts, genes, SUPERVISED_DIMS);
  await pause?.();
  const start = prototypeGate(phi, supervision, options.prototypes, options.seed);
  const ones = new Float32Array(overlap.nRows).fill(1);
  const exposure = exposeSpots(overlap, membership(phi, start), start.k, ones);
  await pause?.();
  return {
    tissue,
    phi,
    overlap,
    counts,
    start,
    efficiency: spotEfficiency(exposureOf(exposure, start.k), counts),
    genes,
    information: excess.reduce((a, b) => a + b, 0),
    alpha: supervision.alpha,
  };
}

/** Trains the gate as far as `decay` lets it and fits every gene's profile. */
export async function finishFit(
  prepared: PreparedFit,
  decay: number,
  options: FitOptions,
): Promise<ExpressionFit> {
  const { phi, overlap, counts, start, efficiency, genes } = prepared;
  const { progress, pause, use } = options;
  const { k } = start;
  let gate = start;
  if (k > 1 && genes.length > 0) {
    const reached = transpose(overlap);
    const byGene = selectRows(counts, genes);
    gate = await trainGate({ phi, overlap, reached, efficiency, byGene }, start, {
      steps: options.gateSteps,
      decay: decay * prepared.information,
      pause: (step) => {
        progress?.((0.6 * step) / options.gateSteps);
        return pause?.() ?? Promise.resolve();
      },
    });
  }
  const members = membership(phi, gate);
  const exposure = exposeSpots(overlap, members, k, efficiency);
  const profile = await fitProfiles(exposureOf(exposure, k), counts, options.rounds, (gene) => {
    progress?.(0.6 + (0.4 * gene) / counts.nRows);
    return pause?.() ?? Promise.resolve();
  });
  return {
    k,
    membership: members,
    profile,
    efficiency,
    exposure: use ? exposeSpots(prepared.tissue.overlap, members, k, efficiency) : exposure,
    alpha: prepared.alpha,
    nInformative: genes.length,
  };
}

/**
 * Fits Y_sg ~ Poisson(e_s Σ_c A_sc Σ_k M_ck B_kg): features → supervised space → prototypes → gate → profiles.
 * Deterministic in the seed.
 */
export async function fitExpression(
  tissue: TissueData,
  trust: Trust,
  options: FitOptions,
): Promise<ExpressionFit> {
  return finishFit(await prepareFit(tissue, trust.morphology, options), trust.decay, options);
}

/** The mean of several fits as one model: memberships divided by their number, side by side. */
export function meanOfFits(fits: readonly ExpressionFit[]): ExpressionFit {
  if (fits.length === 1) return fits[0];
  const n = fits.length;
  const k = fits.reduce((sum, fit) => sum + fit.k, 0);
  const profile = new Float32Array(fits.reduce((sum, fit) => sum + fit.profile.length, 0));
  let at = 0;
  for (const fit of fits) {
    profile.set(fit.profile, at);
    at += fit.profile.length;
  }
  return {
    k,
    membership: sideBySide(fits, "membership", k),
    profile,
    exposure: sideBySide(fits, "exposure", k),
    efficiency: fits[0].efficiency.map((_, s) => {
      return fits.reduce((sum, fit) => sum + fit.efficiency[s], 0) / n;
    }),
    alpha: fits[0].alpha,
    nInformative: fits[0].nInformative,
  };
}

function sideBySide(
  fits: readonly ExpressionFit[],
  part: "membership" | "exposure",
  k: number,
): Float32Array {
  const nRows = fits[0][part].length / fits[0].k;
  const out = new Float32Array(nRows * k);
  let at = 0;
  for (const fit of fits) {
    for (let i = 0; i < nRows; i++) {
      for (let j = 0; j < fit.k; j++) out[i * k + at + j] = fit[part][i * fit.k + j] / fits.length;
    }
    at += fit.k;
  }
  return out;
}

/**
 * e = (observed total / predicted total)^0.8 of every spot. The prediction is made without e, and half of it takes all
 * cells as equally rich: left free, the prototypes explain efficiencies away as differences of their size.
 * Genes are fitted one by one by least squares and summed. O(entries · k).
 */
function spotEfficiency(exposure: Exposure, byGene: SparseMatrix): Float32Array {
  const { k, captured } = exposure;
  const totals = new Float64Array(captured.length);
  for (let n = 0; n < byGene.indices.length; n++) totals[byGene.indices[n]] += byGene.data[n];
  const sums = new Float64Array(k);
  let mean = 0;
  const fit: ProfileFit = { b: new Float64Array(k), mean: 0 };
  for (let g = 0; g < byGene.nRows; g++) {
    leastSquaresProfile(exposure, byGene, g, fit);
    mean += fit.mean;
    for (let j = 0; j < k; j++) sums[j] += fit.b[j];
  }
  return Float32Array.from(totals, (total, s) => {
    let predicted = 0.5 * mean * captured[s];
    for (let j = 0; j < k; j++) predicted += 0.5 * sums[j] * exposure.data[s * k + j];
    return total > 0 && predicted > 0 ? (total / predicted) ** EFFICIENCY_POWER : 1;
  });
}

function leadingColumns(matrix: { data: Float32Array; nCols: number }, n: number): Float32Array {
  if (matrix.nCols === n) return matrix.data;
  const nRows = matrix.data.length / matrix.nCols;
  const out = new Float32Array(nRows * n);
  for (let i = 0; i < nRows; i++) {
    out.set(matrix.data.subarray(i * matrix.nCols, i * matrix.nCols + n), i * n);
  }
  return out;
}

/** The matrix with the rows for which `use` is 0 emptied. */
function maskRows(matrix: SparseMatrix, use: Uint8Array): SparseMatrix {
  const data = matrix.data.slice();
  for (let s = 0; s < matrix.nRows; s++) {
    if (!use[s]) data.fill(0, matrix.indptr[s], matrix.indptr[s + 1]);
  }
  return { ...matrix, data };
}

/** The matrix without the columns for which `use` is 0. */
function maskColumns(matrix: SparseMatrix, use: Uint8Array): SparseMatrix {
  const indptr = new Uint32Array(matrix.nRows + 1);
  const indices = new Uint32Array(matrix.indices.length);
  const data = new Float32Array(matrix.data.length);
  let to = 0;
  for (let i = 0; i < matrix.nRows; i++) {
    for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1]; k++) {
      if (!use[matrix.indices[k]]) continue;
      indices[to] = matrix.indices[k];
      data[to++] = matrix.data[k];
    }
    indptr[i + 1] = to;
  }
  return { ...matrix, indptr, indices: indices.subarray(0, to), data: data.subarray(0, to) };
}

function selectRows(matrix: SparseMatrix, rows: readonly number[]): SparseMatrix {
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    indptr[i + 1] = indptr[i] + matrix.indptr[row + 1] - matrix.indptr[row];
  });
  const indices = new Uint32Array(indptr[rows.length]);
  const data = new Float32Array(indptr[rows.length]);
  rows.forEach((row, i) => {
    indices.set(matrix.indices.subarray(matrix.indptr[row], matrix.indptr[row + 1]), indptr[i]);
    data.set(matrix.data.subarray(matrix.indptr[row], matrix.indptr[row + 1]), indptr[i]);
  });
  return { nRows: rows.length, nCols: matrix.nCols, indptr, indices, data };
}
