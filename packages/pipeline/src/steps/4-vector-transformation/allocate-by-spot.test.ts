import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { give } from "./allocate-by-spot.ts";

interface SpotCounts {
  seen: Float32Array;
  rates: Float64Array;
  capture: Float32Array;
  weight: Float64Array;
}

/**
 * The rule written out: each UMI goes to the first of the cells that lag most, or several at once if they all go to one. The
 * totals of cells count less for genes with few UMIs per cell.
 */
function written({ seen, rates, capture, weight }: SpotCounts): number[][] {
  const nGenes = seen.length;
  const cells = Array.from(capture.keys());
  const totalLag = cells.map(() => 0);
  const everything = capture.reduce((sum, own) => sum + own, 0);
  return Array.from(seen, (count, gene) => {
    const shares = cells.map((c) => rates[c * nGenes + gene]! * capture[c]!);
    const total = shares.reduce((sum, share) => sum + share, 0);
    const geneLag = cells.map((c) =>
      total > 0 ? (count * shares[c]!) / total : (count * capture[c]!) / everything,
    );
    const given = cells.map(() => 0);
    const part = count / (count + 0.3 * cells.length);
    cells.forEach((c) => (totalLag[c]! += geneLag[c]!));
    for (let left = count; left > 0;) {
      const lag = cells.map((c) => geneLag[c]! + part * weight[c]! * totalLag[c]!);
      const best = lag.indexOf(Math.max(...lag));
      const taken = Math.min(left, Math.max(1, Math.floor(geneLag[best]!)));
      given[best]! += taken;
      geneLag[best]! -= taken;
      totalLag[best]! -= taken;
      left -= taken;
    }
    return given;
  });
}

it.each([2, 3, 4, 7, 32, 33])("allocates to %i cells exactly as the formula does", (n) => {
  const random = new Random(n);
  for (const nGenes of [1, 63, 64, 200, 0, 130]) {
    const spot: SpotCounts = {
      // Genes with no counts, one, and many.
      seen: Float32Array.from({ length: nGenes }, () => random.poisson(random.gamma(0.2) * 20)),
      // Genes without a rate in any cell, and identical cells.
      rates: Float64Array.from({ length: n * nGenes }, (_, i) =>
        (i % nGenes) % 9 === 0 ? 0 : i < 2 * nGenes ? 0.5 : random.gamma(0.3),
      ),
      capture: Float32Array.from({ length: n }, (_, c) => (c < 2 ? 1 : random.uniform())),
      weight: Float64Array.from({ length: n }, (_, c) => (c < 2 ? 0.01 : random.uniform() / 50)),
    };
    const expected = written(spot);
    const given = give(spot.seen, spot.rates, spot.capture, spot.weight);
    const found = expected.map((_, gene) =>
      Array.from({ length: n }, (_, cell) => given[cell * nGenes + gene]!),
    );
    expect(found).toEqual(expected);
  }
});
