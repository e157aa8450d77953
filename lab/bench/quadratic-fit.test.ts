import { quadraticScores } from "@stipple/pipeline/internal/steps/2-morphological-analysis/choose-candidates";
import { expect, it } from "vitest";
import { fitQuadratic, goalOf, type Example } from "./quadratic-fit.ts";

it("recovers a quadratic function for any example weights", () => {
  const known = (x: number, y: number): number =>
    0.3 + 0.2 * x - 0.1 * y + 0.4 * x * y - 0.3 * y * y;
  const examples: Example[] = Array.from({ length: 900 }, (_, i) => {
    const x = (i % 30) / 30;
    const y = Math.floor(i / 30) / 30;
    return { features: Float32Array.of(x, y), goal: known(x, y), weight: 1 + (i % 7) };
  });
  const fitted = fitQuadratic(examples, 1e-9);
  const places = [
    [0.2, 0.7],
    [0.5, 0.5],
    [0.8, 0.3],
  ];
  const scores = quadraticScores(Float32Array.from(places.flat()), fitted);
  places.forEach(([x, y], i) => expect(scores[i]).toBeCloseTo(known(x, y), 3));
});

it("sets targets that rise with overlap between a quarter and three quarters", () => {
  expect([0, 0.25, 0.5, 0.75, 1].map(goalOf)).toEqual([0, 0, 0.5, 1, 1]);
});
