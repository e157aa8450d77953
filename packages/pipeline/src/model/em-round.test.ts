import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { openEmKernel } from "./fit-rates.ts";

/** Plain version of the kernel. */
function gains(
  counts: readonly number[],
  seen: readonly number[][],
  b: readonly number[],
): number[] {
  const gain = b.map(() => 0);
  counts.forEach((count, n) => {
    let expected = 0;
    for (let j = 0; j < b.length; j++) expected += seen[n][j] * b[j];
    if (!(expected > 0)) return;
    const ratio = count / expected;
    for (let j = 0; j < b.length; j++) gain[j] += ratio * seen[n][j];
  });
  return gain;
}

it.each([1, 2, 3, 24, 31])("is bit-identical to the formula for %i prototypes", (k) => {
  const random = new Random(k);
  const kernel = openEmKernel(k);
  // Shrink and grow: nothing may be left over from the previous gene.
  for (const n of [0, 1, 7, 8, 200, 3, 9, 3000, 16]) {
    const counts = Array.from({ length: n }, () => 1 + random.below(5));
    const seen = counts.map((_, i) =>
      // One spot in ten captures nothing.
      Array.from({ length: k }, () => (i % 10 === 4 ? 0 : Math.fround(random.uniform() ** 4))),
    );
    const b = Array.from({ length: k }, () => random.uniform());
    const buffers = kernel.reserve(n);
    buffers.counts.set(counts);
    seen.forEach((row, i) => buffers.seen.set(row, i * buffers.stride));
    buffers.b.set(b);
    kernel.gather();
    expect(Array.from(buffers.gain.subarray(0, k))).toEqual(gains(counts, seen, b));
  }
});
