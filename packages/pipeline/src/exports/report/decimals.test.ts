import { expect, it } from "vitest";
import { decimals } from "./elements.ts";

it("writes a minus sign, and none before a number that is 0 as written", () => {
  expect([-0.004, -0.006, 0.5].map((value) => decimals(value))).toEqual(["0.00", "−0.01", "0.50"]);
  expect(decimals(-0.0006, 3)).toBe("−0.001");
});
