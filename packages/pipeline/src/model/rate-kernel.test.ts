import { expect, it } from "vitest";
import { Random } from "../numerics/random.ts";
import { openRateKernel, plainKernel } from "./rate-kernel.ts";

const [rows, k, nGenes] = [37, 24, 301];
const random = new Random(4);
const gammas = (length: number, shape: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length }, () => random.gamma(shape));
const members = gammas(rows * k, 0.1);
const exposed = gammas(rows * k, 0.5);
const profile = gammas(k * nGenes, 0.2);
const above = gammas(rows * nGenes, 0.3);

/** The formula in double precision. */
const exact = Float64Array.from({ length: rows * nGenes }, (_, at) => {
  const [row, gene] = [Math.floor(at / nGenes), at % nGenes];
  let [model, expected] = [0, 0];
  for (let j = 0; j < k; j++) {
    model += members[row * k + j] * profile[j * nGenes + gene];
    expected += exposed[row * k + j] * profile[j * nGenes + gene];
  }
  return (model * (above[at] + 10)) / (expected + 10);
});

it("computes the formula but for float32's rounding, by ONNX Runtime and written out", async () => {
  const fast = await openRateKernel(profile, k, nGenes);
  expect(fast.by).toBe("ONNX Runtime");
  for (const kernel of [fast, plainKernel(profile, k, nGenes)]) {
    const rates = new Float32Array(above.length);
    await kernel.run(members, exposed, above, rates);
    rates.forEach((rate, at) => {
      expect(Math.abs(rate - exact[at])).toBeLessThanOrEqual(1e-6 * exact[at] + 1e-6);
    });
  }
});

it("gives a cell the same bits alone and among others", async () => {
  const kernel = await openRateKernel(profile, k, nGenes);
  const together = new Float32Array(above.length);
  await kernel.run(members, exposed, above, together);
  for (const [from, to] of [
    [5, 6],
    [7, 10],
    [9, 33],
  ]) {
    const apart = new Float32Array((to - from) * nGenes);
    await kernel.run(
      members.slice(from * k, to * k),
      exposed.slice(from * k, to * k),
      above.slice(from * nGenes, to * nGenes),
      apart,
    );
    expect(apart).toEqual(together.slice(from * nGenes, to * nGenes));
  }
});
