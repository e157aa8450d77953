import { expect, it } from "vitest";
import { transpose } from "../../numerics/sparse.ts";
import { Random } from "../../numerics/random.ts";
import type { SpotEvidence } from "../../types/anchored-types.ts";
import { heedOwnBins } from "./heed-own-bins.ts";
import { countsOfBins, fitRates } from "./own-bin-rates.ts";
import { spotsOfWholeCells } from "../../types/testing/spots-of-whole-cells.ts";

const [N_CELLS, N_GENES] = [400, 20];
/** The first half of the genes marks type 0, the second half type 1. */
const rateOf = (gene: number, type: number): number =>
  Math.floor(gene / (N_GENES / 2)) === type ? 0.8 : 0.1;

/** Bins with counts of `perBin` cells of two types each. */
function bins(perBin: number): { spots: SpotEvidence; typeOf: Uint8Array } {
  const random = new Random(7);
  const typeOf = Uint8Array.from({ length: N_CELLS }, () => random.below(2));
  const nSpots = N_CELLS / perBin;
  const counted = spotsOfWholeCells(
    { nSpots, perSpot: perBin, nGenes: N_GENES },
    (gene, cell) => rateOf(gene, typeOf[cell]),
    random,
  );
  const spots = {
    ...counted,
    efficiency: new Float32Array(nSpots).fill(1),
    phi: { data: new Float32Array(N_CELLS).fill(1), nCols: 1 },
    nLooks: 0,
    penalty: new Float64Array(1),
  };
  return { spots, typeOf };
}

const GENES = [...Array(N_GENES).keys()];

/** Posteriors that favor the true type only slightly. */
function weak(typeOf: Uint8Array): Float32Array {
  return Float32Array.from({ length: 2 * N_CELLS }, (_, i) =>
    typeOf[Math.floor(i / 2)] === i % 2 ? 0.55 : 0.45,
  );
}

function shareRight(posterior: Float32Array, typeOf: Uint8Array): number {
  return typeOf.filter((type, cell) => posterior[2 * cell + type] > 0.5).length / N_CELLS;
}

function meanOfLikeliest(posterior: Float32Array): number {
  return posterior.reduce((sum, p) => sum + (p > 0.5 ? p : 0), 0) / N_CELLS;
}

it("fits the rates of types to bins of one cell each", () => {
  const { spots, typeOf } = bins(1);
  const sure = weak(typeOf).map((p) => Math.round(p));
  const { rates, expected } = fitRates(countsOfBins(spots, GENES), sure, 2);
  for (const gene of GENES) {
    for (const type of [0, 1]) {
      expect(Math.abs(rates[2 * gene + type] - rateOf(gene, type))).toBeLessThan(0.2);
    }
  }
  const counts = transpose(spots.byGene);
  const total = counts.data.reduce((a, b) => a + b, 0);
  expect(expected).toHaveLength(counts.data.length);
  expect(total / N_CELLS).toBeCloseTo(
    GENES.reduce((sum, gene) => sum + (rates[2 * gene] + rates[2 * gene + 1]) / 2, 0),
    0,
  );
});

it("finds nearly all types from bins of single cells", async () => {
  const { spots, typeOf } = bins(1);
  const posterior = weak(typeOf);
  await heedOwnBins(posterior, 2, GENES, spots);
  expect(shareRight(posterior, typeOf)).toBeGreaterThan(0.97);
  for (let cell = 0; cell < N_CELLS; cell++) {
    expect(posterior[2 * cell] + posterior[2 * cell + 1]).toBeCloseTo(1, 5);
  }
});

it("learns less where cells share their bins", async () => {
  const [shared, alone] = [bins(4), bins(1)];
  const [unsure, sure] = [weak(shared.typeOf), weak(alone.typeOf)];
  await heedOwnBins(unsure, 2, GENES, shared.spots);
  await heedOwnBins(sure, 2, GENES, alone.spots);
  expect(meanOfLikeliest(unsure)).toBeLessThan(meanOfLikeliest(sure));
  expect(shareRight(unsure, shared.typeOf)).toBeGreaterThan(0.6);
});

it("lets a rare type at most double, even if it explains all cells with few counts", async () => {
  const random = new Random(9);
  const isPoor = Uint8Array.from({ length: N_CELLS }, () => random.below(2));
  const counted = spotsOfWholeCells(
    { nSpots: N_CELLS, perSpot: 1, nGenes: N_GENES },
    (gene, cell) => rateOf(gene, 0) * (isPoor[cell] ? 0.1 : 1),
    random,
  );
  // Eight poor cells are known to be of type 1; the last column is that of none.
  let known = 0;
  const rows = Array.from(isPoor, (poor) =>
    poor && known++ < 8 ? [0.05, 0.9, 0.05] : [0.9, 0.05, 0.05],
  );
  const posterior = Float32Array.from(rows.flat());
  const shareOf = (type: number): number =>
    posterior.reduce((sum, p, i) => sum + (i % 3 === type ? p : 0), 0) / N_CELLS;
  const before = shareOf(1);
  await heedOwnBins(posterior, 3, GENES, { ...bins(1).spots, ...counted });
  expect(shareOf(1)).toBeGreaterThan(1.5 * before);
  expect(shareOf(1)).toBeLessThan(2.2 * before);
  expect(shareOf(0) + shareOf(1) + shareOf(2)).toBeCloseTo(1, 4);
});

it("leaves cells without bins as they are", async () => {
  const { spots, typeOf } = bins(1);
  const overlap = { ...spots.overlap, data: spots.overlap.data.map((a, i) => (i < 10 ? 0 : a)) };
  const posterior = weak(typeOf);
  await heedOwnBins(posterior, 2, GENES, { ...spots, overlap });
  expect(posterior.subarray(0, 20)).toEqual(weak(typeOf).subarray(0, 20));
});

it("stops when the pause throws", async () => {
  const { spots, typeOf } = bins(1);
  const pause = () => Promise.reject(new Error("canceled"));
  await expect(heedOwnBins(weak(typeOf), 2, GENES, spots, pause)).rejects.toThrow("canceled");
});
