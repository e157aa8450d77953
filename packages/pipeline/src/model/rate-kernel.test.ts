import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { openRateKernel, type RateModel } from "./rate-kernel.ts";

const [rows, k, nGenes] = [37, 24, 301];
const random = new Random(4);
const gammas = (length: number, shape: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length }, () => random.gamma(shape));
const members = gammas(rows * k, 0.1);
const exposed = gammas(rows * k, 0.5);
const profile = gammas(k * nGenes, 0.2);
const above = gammas(rows * nGenes, 0.3);

const shape = gammas(nGenes, 2);
const modelOf = (ownBins: boolean): RateModel => ({ profile, k, nGenes, shape, ownBins });

/** The formulas in double precision. */
const exact = (ownBins: boolean, at: number): number => {
  const [row, gene] = [Math.floor(at / nGenes), at % nGenes];
  let [model, expected] = [0, 0];
  for (let j = 0; j < k; j++) {
    model += members[row * k + j] * profile[j * nGenes + gene];
    expected += exposed[row * k + j] * profile[j * nGenes + gene];
  }
  const a = shape[gene];
  return ownBins
    ? (model * (above[at] / expected + a)) / (1 + a)
    : (model * (above[at] + a)) / (expected + a);
};

it("computes the formula up to float32 rounding", async () => {
  for (const ownBins of [false, true]) {
    const kernel = await openRateKernel(modelOf(ownBins));
    const rates = new Float32Array(above.length);
    await kernel(members, exposed, above, rates);
    rates.forEach((rate, at) => {
      const known = exact(ownBins, at);
      expect(Math.abs(rate - known)).toBeLessThanOrEqual(2e-5 * known + 1e-6);
    });
  }
});

it("keeps the model's rate of cells without bins", async () => {
  const kernel = await openRateKernel(modelOf(true));
  const [rates, model] = [new Float32Array(nGenes), new Float32Array(nGenes)];
  const none = [new Float32Array(k), new Float32Array(nGenes)] as const;
  await kernel(members.slice(0, k), ...none, rates);
  await kernel(members.slice(0, k), members.slice(0, k), model, model);
  rates.forEach((rate, gene) => {
    const a = shape[gene];
    expect(model[gene] * (1 + a)).toBeCloseTo(rate * a, 3);
  });
});

it("gives a cell bit-identical rates alone and together with others", async () => {
  const kernel = await openRateKernel(modelOf(true));
  const together = new Float32Array(above.length);
  await kernel(members, exposed, above, together);
  for (const [from, to] of [
    [5, 6],
    [7, 10],
    [9, 33],
  ]) {
    const apart = new Float32Array((to - from) * nGenes);
    await kernel(
      members.slice(from * k, to * k),
      exposed.slice(from * k, to * k),
      above.slice(from * nGenes, to * nGenes),
      apart,
    );
    expect(apart).toEqual(together.slice(from * nGenes, to * nGenes));
  }
});
