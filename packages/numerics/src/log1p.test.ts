import { expect, it } from "vitest";
import { log1pOf } from "./log1p.ts";
import { Random } from "./random.ts";

const random = new Random(3);
/** Values across the range of rates, and 0. */
const VALUES = Float32Array.from({ length: 5000 }, (_, i) =>
  i % 50 === 0 ? 0 : 2 ** (random.below(50) - 30) * random.uniform(),
);

it("computes ln(1 + x) far more accurately than float32 precision", () => {
  for (const x of VALUES) {
    expect(Math.abs(log1pOf(x) - Math.log1p(x))).toBeLessThanOrEqual(2e-12 * Math.log1p(x));
  }
});
