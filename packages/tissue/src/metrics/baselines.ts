import { InputError } from "@stipple/pipeline/errors";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import Flatbush from "flatbush";
import type { KnownTissue } from "../read-truth.ts";
import type { CellPrediction } from "./correlation.ts";

/** The spots as the analysis saw them, with genes in the truth's order. */
export interface ObservedSpots {
  /** nSpots × 2: x, y in full-resolution pixels. */
  xy: ArrayLike<number>;
  barcode: readonly string[];
  /** Distance between neighboring spots in full-resolution pixels. */
  pitchPx: number;
  /** nSpots × nGenes. */
  counts: SparseMatrix;
}

/** What the baselines without types need. */
type Cells = Pick<KnownTissue, "xy">;
type Places = Omit<ObservedSpots, "barcode">;

/** Standard deviation of the interpolation's Gaussian, in array pitches (Visium: 60 µm). */
const INTERPOLATION_PITCHES = 0.6;
const EM_ROUNDS = 200;
/** EM has converged when no profile changes by more than this fraction of its kind's mean. */
const EM_TOLERANCE = 1e-4;

function spotIndex(spots: Places): Flatbush {
  const index = new Flatbush(spots.counts.nRows);
  for (let spot = 0; spot < spots.counts.nRows; spot++) {
    index.add(spots.xy[2 * spot], spots.xy[2 * spot + 1]);
  }
  index.finish();
  return index;
}

/** Each cell gets the counts of the nearest spot. */
export function nearestSpot(tissue: Cells, spots: Places): CellPrediction {
  const index = spotIndex(spots);
  return (cell, row) => {
    const [nearest] = index.neighbors(tissue.xy[2 * cell], tissue.xy[2 * cell + 1], 1);
    addRow(spots.counts, nearest, 1, row);
  };
}

/** Each cell gets the mean of the surrounding spots, weighted by a Gaussian of the distance. */
export function interpolation(
  tissue: Cells,
  spots: Places,
  pitches = INTERPOLATION_PITCHES,
): CellPrediction {
  const index = spotIndex(spots);
  const sigma = pitches * spots.pitchPx;
  return (cell, row) => {
    const x = tissue.xy[2 * cell];
    const y = tissue.xy[2 * cell + 1];
    let total = 0;
    for (const spot of index.neighbors(x, y, Infinity, 5 * sigma)) {
      const d = (spots.xy[2 * spot] - x) ** 2 + (spots.xy[2 * spot + 1] - y) ** 2;
      const weight = Math.exp(-d / (2 * sigma * sigma));
      total += weight;
      addRow(spots.counts, spot, weight, row);
    }
    if (total > 0) for (let gene = 0; gene < row.length; gene++) row[gene] /= total;
  };
}

/**
 * What the spots could reveal if the position and type of every cell were known: one profile per type by
 * non-negative Poisson maximum likelihood (EM: B ← B∘(Eᵀ(Y/EB))/(Eᵀ1)). O(rounds × spots × types × genes).
 */
export function trueTypesFitted(tissue: KnownTissue, spots: ObservedSpots): CellPrediction {
  const types = [...new Set(tissue.type)];
  const typeOf = Int32Array.from(tissue.type, (type) => types.indexOf(type));
  const array = tissue.arrays.find(({ barcode }) => barcode.includes(spots.barcode[0]));
  if (!array) {
    throw new InputError(
      "The results and the truth share no barcode: they belong to different samples.",
    );
  }
  const { capture } = array;
  const rowOf = new Map(array.barcode.map((barcode, row) => [barcode, row]));
  const nSpots = spots.counts.nRows;
  const exposure = new Float64Array(nSpots * types.length);
  for (let spot = 0; spot < nSpots; spot++) {
    const row = rowOf.get(spots.barcode[spot]);
    if (row === undefined) continue;
    for (let k = capture.indptr[row]; k < capture.indptr[row + 1]; k++) {
      exposure[spot * types.length + typeOf[capture.indices[k]]] += capture.data[k];
    }
  }
  const profiles = fitProfiles(exposure, types.length, spots.counts);
  return (cell, row) => {
    const at = typeOf[cell] * profiles.nCols;
    for (let gene = 0; gene < row.length; gene++) row[gene] = profiles.data[at + gene]!;
  };
}

/** Profiles (kinds × genes) that explain the counts given the exposures (spots × kinds). */
export function fitProfiles(
  exposure: Float64Array,
  nKinds: number,
  counts: SparseMatrix,
): Matrix<Float64Array> {
  const nGenes = counts.nCols;
  const sums = new Float64Array(nKinds);
  for (let i = 0; i < exposure.length; i++) sums[i % nKinds] += exposure[i];
  let profiles = new Float64Array(nKinds * nGenes).fill(1);
  for (let round = 0; round < EM_ROUNDS; round++) {
    const next = new Float64Array(nKinds * nGenes);
    for (let spot = 0; spot < counts.nRows; spot++) {
      for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
        const gene = counts.indices[k];
        let expected = 0;
        for (let kind = 0; kind < nKinds; kind++) {
          expected += exposure[spot * nKinds + kind] * profiles[kind * nGenes + gene];
        }
        if (expected <= 0) continue;
        const ratio = counts.data[k] / expected;
        for (let kind = 0; kind < nKinds; kind++) {
          next[kind * nGenes + gene] += exposure[spot * nKinds + kind] * ratio;
        }
      }
    }
    let moved = 0;
    for (let kind = 0; kind < nKinds; kind++) {
      let total = 0;
      let largest = 0;
      for (let i = kind * nGenes; i < (kind + 1) * nGenes; i++) {
        next[i] = sums[kind] > 0 ? (next[i] * profiles[i]) / sums[kind] : 0;
        total += next[i];
        largest = Math.max(largest, Math.abs(next[i] - profiles[i]));
      }
      if (total > 0) moved = Math.max(moved, (largest * nGenes) / total);
    }
    profiles = next;
    if (moved < EM_TOLERANCE) break;
  }
  return { nRows: nKinds, nCols: nGenes, data: profiles };
}

/** Each cell gets the mean of the true counts of its type. */
export function oracleTypeMean(tissue: KnownTissue): CellPrediction {
  const types = [...new Set(tissue.type)];
  const typeOf = Int32Array.from(tissue.type, (type) => types.indexOf(type));
  const means = types.map(() => new Float64Array(tissue.genes.length));
  const sizes = new Float64Array(types.length);
  for (let cell = 0; cell < tissue.nCells; cell++) {
    sizes[typeOf[cell]]++;
    const mean = means[typeOf[cell]];
    for (let k = tissue.counts.indptr[cell]; k < tissue.counts.indptr[cell + 1]; k++) {
      mean[tissue.counts.indices[k]] += tissue.counts.data[k];
    }
  }
  means.forEach((mean, type) => {
    for (let gene = 0; gene < mean.length; gene++) mean[gene] /= sizes[type];
  });
  return (cell, row) => row.set(means[typeOf[cell]]);
}

/** The rates from which the true counts were drawn: the upper limit set by noise. */
export function noiseFreeRate(tissue: KnownTissue): CellPrediction {
  const { data, nCols } = tissue.rates;
  return (cell, row) => row.set(data.subarray(cell * nCols, (cell + 1) * nCols));
}

function addRow(matrix: SparseMatrix, row: number, weight: number, target: Float32Array): void {
  for (let k = matrix.indptr[row]; k < matrix.indptr[row + 1]; k++) {
    target[matrix.indices[k]] += weight * matrix.data[k];
  }
}
