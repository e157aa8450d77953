import { RATE_SOURCES } from "@stipple/contract";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { ratesFrom, type HeldRates, type RateParts } from "../../../model/rates.ts";
import { Random } from "@stipple/numerics/random";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import { rowsOf } from "@stipple/numerics/sparse-rows";

const [N_SPOTS, K] = [9, 3];

/** Rates of cells with three spots around each, and the data they are computed from. */
export interface SimulatedRates {
  rates: HeldRates;
  parts: RateParts;
  spotCounts: SparseMatrix;
  geneCounts: SparseMatrix;
}

/** Random counts and factors; every other gene is interpolated, and the last gene has no counts. */
export function simulatedRates(nCells: number, nGenes: number, ownBins: boolean): SimulatedRates {
  const random = new Random(8);
  const gammas = (nRows: number, nCols: number): RateParts["profile"] => ({
    nRows,
    nCols,
    data: Float32Array.from({ length: nRows * nCols }, () => random.gamma(1)),
  });
  const genes = Array.from({ length: N_SPOTS }, () =>
    [...Array(nGenes - 1).keys()].filter(() => random.uniform() < 0.6),
  );
  const indptr = new Uint32Array(N_SPOTS + 1);
  genes.forEach((row, s) => (indptr[s + 1] = indptr[s] + row.length));
  const spotCounts = {
    nRows: N_SPOTS,
    nCols: nGenes,
    indptr,
    indices: Uint32Array.from(genes.flat()),
    data: Float32Array.from(genes.flat(), () => 1 + random.below(9)),
  };
  const parts: RateParts = {
    membership: gammas(nCells, K),
    profile: gammas(K, nGenes),
    exposure: gammas(N_SPOTS, K),
    nearSpot: {
      nRows: nCells,
      nCols: 3,
      data: Int32Array.from({ length: 3 * nCells }, (_, i) => (i + Math.floor(i / 7)) % N_SPOTS),
    },
    nearWeight: gammas(nCells, 3),
    spotTotals: rowSums(spotCounts),
    source: Uint8Array.from({ length: nGenes }, (_, gene) =>
      RATE_SOURCES.indexOf(gene % 2 === 0 ? "model" : "interpolation"),
    ),
    shape: new Float32Array(nGenes).fill(2),
    ownBins,
  };
  const geneCounts = transpose(spotCounts);
  const rates = ratesFrom({
    ...parts,
    spotCounts: rowsOf(spotCounts),
    geneCounts: rowsOf(geneCounts),
  });
  return { rates, parts, spotCounts, geneCounts };
}
