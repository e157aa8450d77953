import { expect, it } from "vitest";
import { Random } from "../numerics/random.ts";
import { openGateKernel, plainGateKernel, throughSoftmax } from "./gate-kernel.ts";

const [nCells, P, k] = [2500, 13, 7];
const random = new Random(2);
const normals = (length: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length }, () => random.normal());
const phi = { data: normals(nCells * P), nCols: P };
const weights = Float64Array.from(normals(P * k), (value) => 2 * value);

it("computes memberships and gradients up to float32 rounding", async () => {
  const [fast, exact] = [await openGateKernel(phi, k), plainGateKernel(phi, k)];
  const members = await fast.membership(weights);
  const expected = await exact.membership(weights);
  members.forEach((share, i) => expect(Math.abs(share - expected[i])).toBeLessThan(1e-5));
  const slopes = throughSoftmax(expected, normals(nCells * k), k);
  const gradient = await fast.gradient(slopes);
  const sum = await exact.gradient(slopes);
  gradient.forEach((value, i) => expect(Math.abs(value - sum[i])).toBeLessThan(1e-4));
  // Confirms that this is not the fallback, which matches the formula bit for bit.
  expect(gradient).not.toEqual(sum);
});

it("propagates slopes through the softmax", async () => {
  const { membership } = plainGateKernel(phi, k);
  const slopes = normals(nCells * k);
  const [cell, p, j] = [11, 4, 2];
  const objective = async (shift: number): Promise<number> => {
    const moved = weights.slice();
    moved[p * k + j] += shift;
    const members = await membership(moved);
    let sum = 0;
    for (let i = cell * k; i < (cell + 1) * k; i++) sum += members[i] * slopes[i];
    return sum;
  };
  const numeric = ((await objective(1e-2)) - (await objective(-1e-2))) / 2e-2;
  const members = await membership(weights);
  const exact = throughSoftmax(members, slopes, k)[cell * k + j] * phi.data[cell * P + p];
  expect(exact).toBeCloseTo(numeric, 3);
});
