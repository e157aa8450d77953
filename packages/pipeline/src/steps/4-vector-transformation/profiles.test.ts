import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { sumProducts } from "./profiles.ts";

it.each([1, 2, 3, 24, 31])("is bit-identical to the formula for %i prototypes", (k) => {
  const random = new Random(k);
  // More and fewer: nothing may be left over from the previous spots.
  for (const n of [0, 1, 3, 4, 700, 5, 256]) {
    const row = Float32Array.from({ length: n * k }, () => random.uniform() ** 4);
    const share = row.map((value) => value / (1 + random.uniform()));
    const spots = [...Array(n).keys()].filter((s) => s % 5 !== 2);
    const expected = new Float64Array(k * k);
    for (const s of spots) {
      for (let j = 0; j < k; j++) {
        for (let l = 0; l < k; l++) expected[j * k + l] += share[s * k + j] * row[s * k + l];
      }
    }
    expect(sumProducts(share, row, k, spots)).toEqual(expected);
  }
});
