import { expect, it } from "vitest";
import { openAdam } from "./adam.ts";

it("moves by the rate at every step under a constant gradient, however steep", () => {
  const weights = Float64Array.of(0, 0, 5);
  const climb = openAdam(weights, 0.1);
  const slopes = [1e-3, 200, -4];
  for (let step = 0; step < 10; step++) climb((i) => slopes[i]);
  [1, 1, 4].forEach((reached, i) => expect(weights[i]).toBeCloseTo(reached, 4));
});

it("reaches the top of a paraboloid", () => {
  const weights = Float64Array.of(3, -2);
  const climb = openAdam(weights, 0.05);
  const top = [1, -1];
  for (let step = 0; step < 1000; step++) climb((i) => (i + 1) * (top[i] - weights[i]));
  top.forEach((reached, i) => expect(weights[i]).toBeCloseTo(reached, 3));
});
