import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { ownBins } from "./own-bins.ts";

it("compares the counts around each cell with those that the model expects there", () => {
  const [nCells, nBins, k, width] = [301, 400, 5, 4];
  const random = new Random(7);
  const drawn = (length: number): Float32Array =>
    Float32Array.from({ length }, () => (random.uniform() < 0.3 ? 0 : random.gamma(0.4)));
  const near = Int32Array.from({ length: nCells * width }, () => random.below(nBins));
  // A cell without bins, and one with the first and the last bin.
  near.fill(-1, 0, width).set([0, nBins - 1, -1, -1], width);
  const weight = drawn(nCells * width).map((value, i) => (near[i] < 0 ? 0 : value));
  const exposure = drawn(nBins * k);
  const bins = ownBins({
    exposure: { nRows: nBins, nCols: k, data: exposure },
    nearSpot: { nRows: nCells, nCols: width, data: near },
    nearWeight: { nRows: nCells, nCols: width, data: weight },
  });
  for (const share of [0.9, 0.02, 0]) {
    const b = Float64Array.from({ length: k }, () => random.gamma(0.5));
    const counts = Float32Array.from({ length: nBins }, () =>
      random.uniform() < share ? random.below(4) : 0,
    );
    const indices = [...counts.keys()].filter((bin) => random.uniform() < 0.5 || counts[bin] > 0);
    const ratio = bins.ratios({ indices, data: indices.map((bin) => counts[bin]) }, b);
    expect(ratio).toHaveLength(nCells);
    expect(ratio[0]).toBe(1);
    for (let cell = 1; cell < nCells; cell++) {
      let [seen, expected] = [0, 0];
      for (let n = cell * width; n < (cell + 1) * width; n++) {
        if (near[n] < 0) continue;
        seen += weight[n] * counts[near[n]];
        for (let j = 0; j < k; j++) expected += weight[n] * exposure[near[n] * k + j] * b[j];
      }
      expect(ratio[cell]).toBeCloseTo(seen > 0 ? seen / expected : 0, 4);
    }
  }
});
