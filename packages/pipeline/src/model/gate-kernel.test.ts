import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { membership } from "./prototypes.ts";
import { openGateKernel, throughSoftmax } from "./gate-kernel.ts";

const [nCells, P, k] = [2500, 13, 7];
const random = new Random(2);
const normals = (length: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length }, () => random.normal());
const phi = { data: normals(nCells * P), nCols: P };
const weights = Float64Array.from(normals(P * k), (value) => 2 * value);

/** φᵀ · slopes. */
function exactGradient(slopes: Float32Array): Float64Array {
  const sum = new Float64Array(P * k);
  for (let cell = 0; cell < nCells; cell++) {
    for (let i = 0; i < P * k; i++) {
      sum[i] += phi.data[cell * P + Math.floor(i / k)] * slopes[cell * k + (i % k)];
    }
  }
  return sum;
}

it("computes memberships and gradients up to float32 rounding", async () => {
  const kernel = await openGateKernel(phi, k);
  const members = await kernel.membership(weights);
  const expected = membership(phi, { weights, k });
  members.forEach((share, i) => expect(Math.abs(share - expected[i])).toBeLessThan(1e-5));
  const slopes = throughSoftmax(expected, normals(nCells * k), k);
  const gradient = await kernel.gradient(slopes);
  const sum = exactGradient(slopes);
  gradient.forEach((value, i) => expect(Math.abs(value - sum[i])).toBeLessThan(1e-4));
});

it("propagates slopes through the softmax", () => {
  const slopes = normals(nCells * k);
  const [cell, p, j] = [11, 4, 2];
  const objective = (shift: number): number => {
    const moved = weights.slice();
    moved[p * k + j] += shift;
    const members = membership(phi, { weights: moved, k });
    let sum = 0;
    for (let i = cell * k; i < (cell + 1) * k; i++) sum += members[i] * slopes[i];
    return sum;
  };
  const numeric = (objective(1e-2) - objective(-1e-2)) / 2e-2;
  const members = membership(phi, { weights, k });
  const exact = throughSoftmax(members, slopes, k)[cell * k + j] * phi.data[cell * P + p];
  expect(exact).toBeCloseTo(numeric, 3);
});
