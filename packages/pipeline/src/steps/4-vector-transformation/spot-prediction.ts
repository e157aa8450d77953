import type { SparseMatrix } from "@stipple/numerics/matrices";
import { prototypeTotals, timesPrototypes } from "../../model/prototype-sums.ts";
import { openProductSums } from "../../model/product-sums.ts";
import { multiplyDense } from "@stipple/numerics/sparse";
import type { NearestSpots } from "../../model/nearest-spots.ts";
import { spotTotals } from "../../model/spot-totals.ts";
import { RATES } from "../../model/constants.ts";

const { SHAPE_OF_SPOTS } = RATES;

/** Median of the spot totals, to which counts are scaled before comparing them. */
export function medianTotal(byGene: SparseMatrix): number {
  return spotTotals(byGene).toSorted()[byGene.nCols >> 1] || 1;
}

/** Writes each gene's share of the predicted counts into `shares` (genes × spots), for spots where `use` is 0. */
export function predictShares(
  overlap: SparseMatrix,
  fit: { k: number; membership: Float32Array; profile: Float32Array },
  use: Uint8Array,
  shares: Float32Array,
): void {
  const { k, profile } = fit;
  const nSpots = overlap.nRows;
  const nGenes = profile.length / k;
  const exposure = multiplyDense(overlap, fit.membership, k);
  const totals = timesPrototypes(exposure, prototypeTotals(profile, k));
  const { sums: rates, add } = profileSums(profile, k, TILE);
  const exposed = new Float64Array(k);
  for (const tile of tilesOf(use)) {
    rates.fill(0);
    tile.forEach((s, i) => {
      if (!(totals[s] > 0)) return;
      for (let j = 0; j < k; j++) exposed[j] = exposure[s * k + j] / totals[s];
      add(i, exposed);
    });
    for (let g = 0; g < nGenes; g++) {
      for (let i = 0; i < tile.length; i++) shares[g * nSpots + tile[i]] = rates[i * nGenes + g];
    }
  }
}

/** Sums over prototypes of exposure times profile, one row of genes for each of some spots; rows must start at zero. */
function profileSums(
  profile: Float32Array,
  k: number,
  nSums: number,
): { sums: Float64Array; add(which: number, exposed: Float64Array): void } {
  const nGenes = profile.length / k;
  const products = openProductSums(k, Float32Array);
  const { sums, rows, rowLength } = products.reserve(nSums, nGenes);
  const prototypes = Uint32Array.from({ length: k }, (_, j) => j);
  for (const j of prototypes) {
    rows.set(profile.subarray(j * nGenes, (j + 1) * nGenes), j * rowLength);
  }
  return { sums, add: (which, exposed) => products.add(which, prototypes, exposed, 0, k) };
}

/** Spots whose values of a gene are written together, because they share a cache line in genes × spots. */
const TILE = 16;

/** The spots for which `use` is 0, in order. */
function* tilesOf(use: Uint8Array): Generator<number[]> {
  let tile: number[] = [];
  for (let s = 0; s < use.length; s++) {
    if (use[s] === 0 && tile.push(s) === TILE) {
      yield tile;
      tile = [];
    }
  }
  if (tile.length > 0) yield tile;
}

/**
 * Adjusts predicted shares (genes × spots, in place) the way rates are adjusted: by the excess over the model in the
 * surrounding spots that are in use. The sum of a spot's shares is preserved. `near` contains only spots in use.
 */
export function moveShares(
  bySpot: SparseMatrix,
  fit: { k: number; profile: Float32Array; exposure: Float32Array },
  near: NearestSpots,
  use: Uint8Array,
  shares: Float32Array,
): void {
  const { k, profile, exposure } = fit;
  const nSpots = bySpot.nRows;
  const nGenes = profile.length / k;
  const above = Array.from({ length: TILE }, () => new Float64Array(nGenes));
  const { sums: below, add } = profileSums(profile, k, 1);
  const exposed = new Float64Array(k);
  for (const tile of tilesOf(use)) {
    /** Computes each gene's adjustment into `above`. */
    tile.forEach((s, i) => {
      const ratio = above[i].fill(SHAPE_OF_SPOTS);
      below.fill(SHAPE_OF_SPOTS);
      exposed.fill(0);
      for (let n = s * near.width; n < (s + 1) * near.width; n++) {
        const spot = near.spot[n];
        const weight = near.weight[n];
        if (spot < 0 || weight === 0) continue;
        for (let j = 0; j < k; j++) exposed[j] += weight * exposure[spot * k + j];
        for (let e = bySpot.indptr[spot]; e < bySpot.indptr[spot + 1]; e++) {
          ratio[bySpot.indices[e]] += weight * bySpot.data[e];
        }
      }
      add(0, exposed);
      for (let g = 0; g < nGenes; g++) ratio[g] /= below[g];
    });
    const before = new Float64Array(tile.length);
    const after = new Float64Array(tile.length);
    for (let g = 0; g < nGenes; g++) {
      for (let i = 0, at = g * nSpots; i < tile.length; i++) {
        before[i] += shares[at + tile[i]];
        after[i] += shares[at + tile[i]] *= above[i][g];
      }
    }
    for (let g = 0; g < nGenes; g++) {
      for (let i = 0, at = g * nSpots; i < tile.length; i++) {
        if (after[i] > 0) shares[at + tile[i]] *= before[i] / after[i];
      }
    }
  }
}
