import { expect, it } from "vitest";
import { figure } from "./elements.ts";

it("writes figures of any size in a few characters", () => {
  const shown = [0, 0.00012, -0.04567, 24.81, 123_456, -1.37e19, NaN].map(figure);
  expect(shown).toEqual(["0", "1.2e-4", "-0.0457", "24.8", "123000", "-1.4e+19", "–"]);
});
