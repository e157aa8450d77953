import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { exposureOf, solveProfiles } from "./profiles.ts";
import { levelFor } from "./spot-levels.ts";

it("fits an abundant gene to a subset of many spots, close to the truth and preserving its total", () => {
  const [nSpots, k] = [60_000, 3];
  const truth = [0.2, 1, 4];
  const random = new Random(3);
  const data = new Float32Array(nSpots * k);
  const indices: number[] = [];
  const counts: number[] = [];
  for (let s = 0; s < nSpots; s++) {
    let expected = 0;
    for (let j = 0; j < k; j++) {
      data[s * k + j] = random.gamma(0.5);
      expected += truth[j] * data[s * k + j];
    }
    const count = random.poisson(expected);
    if (count > 0) {
      indices.push(s);
      counts.push(count);
    }
  }
  const exposure = exposureOf(data, k, { cells: 5 });
  const byGene = {
    nRows: 1,
    nCols: nSpots,
    indptr: Uint32Array.of(0, counts.length),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(counts),
  };
  const solve = (levels: typeof exposure.levels): Float32Array =>
    solveProfiles({ exposure: { ...exposure, levels }, byGene, rounds: 60 });
  const [part, all] = [solve(exposure.levels), solve(undefined)];
  expect(levelFor(counts.length)).toBeGreaterThan(0);
  part.forEach((rate, j) => expect(Math.abs(rate / truth[j] - 1)).toBeLessThan(0.05));
  const total = (rates: Float32Array): number =>
    rates.reduce((sum, rate, j) => sum + rate * exposure.totals[j], 0);
  expect(total(part) / total(all)).toBeCloseTo(1, 4);
  expect([...part]).not.toEqual([...all]);
});
