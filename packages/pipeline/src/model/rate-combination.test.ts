import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { openRateCombination } from "./rate-kernel.ts";

it.each([
  ["spots around", false],
  ["own bins", true],
])("rounds after every operation: %s", (_, ownBins) => {
  const k = 3;
  for (const nGenes of [1, 3, 4, 7, 64, 301]) {
    const random = new Random(nGenes);
    const drawn = (length: number): Float32Array =>
      Float32Array.from({ length }, () => random.gamma(0.3));
    const shape = drawn(nGenes);
    const buffers = openRateCombination({ k, shape, ownBins }, 5);
    // Also fewer cells than the buffers hold.
    for (const rows of [5, 2]) {
      const [rate, expected, above] = [rows, rows, rows].map((n) => drawn(n * nGenes)) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      buffers.products.set(rate);
      buffers.products.set(expected, rows * nGenes);
      buffers.above.set(above);
      buffers.combine(rows);
      const { fround } = Math;
      const known = rate.map((lambda, i) => {
        const a = shape[i % nGenes];
        const prior = ownBins ? fround(fround(a * expected[i]) + fround(1e-20)) : a;
        return fround(lambda * fround(above[i] + prior)) / fround(expected[i] + prior);
      });
      expect(buffers.products.slice(0, rows * nGenes)).toEqual(known);
    }
  }
});
