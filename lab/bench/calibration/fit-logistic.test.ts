import { Random } from "@stipple/numerics/random";
import { probability } from "@stipple/pipeline/cell-types";
import { expect, it } from "vitest";
import { calibrationError } from "@stipple/tissue/metrics/calibration";
import { fitLogistic } from "./fit-logistic.ts";

it("recovers the weights from which the truth was drawn, and is calibrated on new cells", () => {
  const random = new Random(2);
  const known = [-0.5, 0.6, 0, 0.8, 0.4];
  const draw = (n: number) =>
    Array.from({ length: n }, () => {
      const signals = [1, ...Array.from({ length: 4 }, () => random.normal())];
      return { signals, right: random.uniform() < probability(known, signals), weight: 1 };
    });
  const weights = fitLogistic(draw(20_000), [0, 1, 0, 0, 0]);
  weights.forEach((weight, i) => expect(Math.abs(weight - known[i])).toBeLessThan(0.08));
  const fresh = draw(20_000);
  const error = calibrationError(
    fresh.map(({ signals }) => probability(weights, signals)),
    fresh.map(({ right }) => right),
  );
  expect(error).toBeLessThan(0.02);
});

it("allows negative weights only for signals that may have them", () => {
  const random = new Random(3);
  const cells = Array.from({ length: 5000 }, () => {
    const signals = [1, random.normal(), random.normal(), 0, 0];
    return { signals, right: random.uniform() < probability([0, 1, -1, 0, 0], signals), weight: 1 };
  });
  const start = [0, 1, 0, 0, 0];
  expect(fitLogistic(cells, start)[2]).toBe(0);
  expect(fitLogistic(cells, start, (signal) => signal === 2)[2]).toBeCloseTo(-1, 0);
});
