import { describe, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { transpose } from "@stipple/numerics/sparse";
import { openProfilePool } from "./profile-pool.ts";
import { rateUncertainty } from "./uncertainty.ts";

const N_SPOTS = 4000;
const N_GENES = 60;
const UMIS_PER_SPOT = 0.5;

/** Cells of one type, one per spot: every rate is a mean of Poisson counts. */
function evenTissue() {
  const random = new Random(3);
  const counts = Array.from({ length: N_SPOTS }, () =>
    Array.from({ length: N_GENES }, () => random.poisson(UMIS_PER_SPOT)),
  );
  const indptr = new Uint32Array(N_SPOTS + 1);
  counts.forEach((row, s) => (indptr[s + 1] = indptr[s] + row.filter((y) => y > 0).length));
  const bySpot = {
    nRows: N_SPOTS,
    nCols: N_GENES,
    indptr,
    indices: Uint32Array.from(counts.flatMap((row) => [...row.keys()].filter((g) => row[g] > 0))),
    data: Float32Array.from(counts.flatMap((row) => row.filter((y) => y > 0))),
  };
  const ones = new Float32Array(N_SPOTS).fill(1);
  const fit = {
    k: 1,
    membership: ones,
    profile: new Float32Array(N_GENES).fill(UMIS_PER_SPOT),
    efficiency: ones,
    exposure: ones,
    models: [{ k: 1, weight: 1 }],
  };
  return { fit, byGene: transpose(bySpot) };
}

describe("the uncertainty of rates", () => {
  const { fit, byGene } = evenTissue();
  it.each([
    ["from all spots", N_SPOTS],
    ["from a quarter of them", N_SPOTS / 4],
  ])("matches that of a mean of counts, %s", async (_, mostSpots) => {
    const { genes, cells } = await rateUncertainty(fit, byGene, new Uint8Array(N_GENES).fill(1), {
      seed: 1,
      priorCells: 5,
      pool: openProfilePool(),
      mostSpots,
    });
    // For a sum of Poisson counts; eight samples underestimate a standard deviation by 3.5 % (c4).
    const expected = 0.965 / Math.sqrt(N_SPOTS * UMIS_PER_SPOT);
    const mean = genes.reduce((a, b) => a + b, 0) / N_GENES;
    expect(mean / expected).toBeGreaterThan(0.9);
    expect(mean / expected).toBeLessThan(1.1);
    expect(cells[0] / expected).toBeGreaterThan(0.7);
    expect(cells[0] / expected).toBeLessThan(1.3);
  });
});
