import { expect, it } from "vitest";
import { Random } from "../../numerics/random.ts";
import { openSampleRates, SAMPLES } from "./sample-rates.ts";

it.each([1, 2, 7, 24])("is bit-identical to the formula for %i prototypes", (k) => {
  const random = new Random(k);
  const most = 9;
  const kernel = openSampleRates(k, most);
  // More and fewer cells: nothing may be left over from the previous ones.
  for (const n of [most, 4, 0, 5]) {
    const members = Float32Array.from({ length: n * k }, () => random.uniform() ** 4);
    const profile = Float64Array.from({ length: k * SAMPLES }, () => random.uniform());
    kernel.members.set(members);
    kernel.profile.set(profile);
    const rates = new Float64Array(n * SAMPLES);
    for (let c = 0; c < n; c++) {
      for (let j = 0; j < k; j++) {
        for (let b = 0; b < SAMPLES; b++)
          rates[c * SAMPLES + b]! += members[c * k + j]! * profile[j * SAMPLES + b]!;
      }
    }
    expect(kernel.of(n).subarray(0, n * SAMPLES)).toEqual(rates);
  }
});
