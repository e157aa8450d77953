import { expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import {
  countDispersion,
  geneExcess,
  informativeGenes,
  withoutSurplusWeight,
} from "./informative-genes.ts";

const N_SPOTS = 150;
const N_GENES = 400;
const isMarker = (gene: number): boolean => gene < 40;

/** Genes at many levels; all counts have the given dispersion, and markers also differ threefold between two halves. */
function countsWith(dispersion: number): SparseMatrix {
  const random = new Random(4);
  const [indptr, indices, data]: [number[], number[], number[]] = [[0], [], []];
  for (let gene = 0; gene < N_GENES; gene++) {
    const level = isMarker(gene) ? 5 : 4 * Math.exp(1.2 * random.normal());
    for (let spot = 0; spot < N_SPOTS; spot++) {
      const mean = level * (isMarker(gene) ? (spot % 2 === 0 ? 1.5 : 0.5) : 1);
      const noise = dispersion > 0 ? random.gamma(1 / dispersion) * dispersion : 1;
      const count = random.poisson(mean * noise);
      if (count === 0) continue;
      indices.push(spot);
      data.push(count);
    }
    indptr.push(indices.length);
  }
  return {
    nRows: N_GENES,
    nCols: N_SPOTS,
    indptr: Uint32Array.from(indptr),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

it("finds the dispersion common to all genes, erring on the low side", () => {
  const found = countDispersion(countsWith(0.1));
  expect(found).toBeGreaterThan(0.05);
  expect(found).toBeLessThan(0.11);
});

it("finds none in Poisson counts, with few genes, or in bins with hardly any counts", () => {
  expect(countDispersion(countsWith(0))).toBe(0);
  const noisy = countsWith(0.1);
  expect(countDispersion({ ...noisy, nRows: 20, indptr: noisy.indptr.slice(0, 21) })).toBe(0);
  const thin = { ...noisy, data: noisy.data.map((value) => value / 100) };
  expect(countDispersion(thin)).toBe(0);
});

it("distinguishes variable genes from abundant ones that are only noisy", () => {
  const noisy = countsWith(0.1);
  const varying = (dispersion: number): number =>
    geneExcess(noisy, dispersion).filter((value, gene) => value > 0 && !isMarker(gene)).length;
  expect(varying(0)).toBeGreaterThan(100);
  expect(varying(countDispersion(noisy))).toBeLessThan(0.6 * varying(0));
  const { genes } = informativeGenes(noisy, 40, countDispersion(noisy));
  expect(genes.filter(isMarker).length).toBeGreaterThanOrEqual(38);
});

it("downweights abundant genes but changes nothing when counts are Poisson", () => {
  const counts = countsWith(0.1);
  expect(withoutSurplusWeight(counts, N_SPOTS, 0)).toBe(counts);
  const weighed = withoutSurplusWeight(counts, N_SPOTS, 0.1);
  const row = (matrix: SparseMatrix, gene: number): Float32Array =>
    matrix.data.subarray(matrix.indptr[gene], matrix.indptr[gene + 1]);
  const mean = row(counts, 7).reduce((sum, value) => sum + value, 0) / N_SPOTS;
  expect(row(weighed, 7)[3]).toBeCloseTo(row(counts, 7)[3] / (1 + 0.1 * mean), 4);
});
