import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { fourDigits } from "./matrix-market.ts";

it("writes four digits the way JavaScript does", () => {
  const random = new Random(6);
  const values = Float32Array.from({ length: 5000 }, () => 10 ** (16 * random.uniform() - 9));
  for (const value of [...values, 1, 0, 9.9996, 0.00099999, 1000, 12345678, 1e-30]) {
    expect(fourDigits(value)).toBe(String(Number(value.toPrecision(4))));
  }
});
