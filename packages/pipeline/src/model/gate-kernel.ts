import { rangesOf } from "@stipple/numerics/ranges";
import { openGraph } from "@stipple/numerics/onnx-graph";
import { release } from "@stipple/numerics/release";
import type { Columns } from "./cell-features.ts";

/** The two products over all cells in each step of training a gate. */
export interface GateKernel {
  /** M = softmax(φ · weights), nCells × k; rows sum to 1. `weights` is P × k. The next call reuses the memory. */
  membership(weights: Float64Array): Promise<Float32Array>;
  /** Σ over cells of φᵀ · slopes, P × k; `slopes` is nCells × k. */
  gradient(slopes: Float32Array): Promise<Float64Array>;
}

/** Cells per tile: gradients are summed in single precision within a tile, in double precision across tiles. */
const TILE = 1024;
/** Cells whose memberships are computed at once. */
const MEMBERS = 4096;

/** Opens the products with ONNX Runtime. */
export async function openGateKernel(phi: Columns, k: number): Promise<GateKernel> {
  const P = phi.nCols;
  const nCells = phi.data.length / P;
  const softmax = await openGraph({
    nodes: [
      { operator: "MatMul", inputs: ["phi", "weights"], output: "logits" },
      { operator: "Softmax", inputs: ["logits"], output: "members" },
    ],
    inputs: [
      { name: "phi", shape: ["rows", P] },
      { name: "weights", shape: [P, k] },
    ],
    output: { name: "members", shape: ["rows", k] },
  });
  const product = await openGraph({
    nodes: [
      {
        operator: "Gemm",
        inputs: ["phi", "slopes"],
        output: "gradient",
        attributes: { transA: 1 },
      },
    ],
    inputs: [
      { name: "phi", shape: ["rows", P] },
      { name: "slopes", shape: ["rows", k] },
    ],
    output: { name: "gradient", shape: [P, k] },
  });
  const members = new Float32Array(nCells * k);
  return {
    async membership(weights) {
      const given = Float32Array.from(weights);
      for (const { from, to } of rangesOf(nCells, MEMBERS)) {
        const part = await softmax(phi.data.subarray(from * P, to * P), given);
        members.set(part, from * k);
        release(part);
      }
      return members;
    },
    async gradient(slopes) {
      const sum = new Float64Array(P * k);
      for (const { from, to } of rangesOf(nCells, TILE)) {
        const part = await product(
          phi.data.subarray(from * P, to * P),
          slopes.subarray(from * k, to * k),
        );
        for (let i = 0; i < sum.length; i++) sum[i] += part[i];
      }
      return sum;
    },
  };
}

/**
 * Turns derivatives by memberships into derivatives by the logits of their softmax, both nCells × k. Works in place:
 * allocating memory in every training step would take as long as the computation.
 */
export function throughSoftmax<T extends Float32Array>(
  members: Float32Array,
  slopes: T,
  k: number,
): T {
  // Four cells at a time, because each addition to a sum waits for the one before.
  const whole = slopes.length - (slopes.length % (4 * k));
  for (let at = 0; at < whole; at += 4 * k) fourThroughSoftmax(members, slopes, k, at);
  for (let at = whole; at < slopes.length; at += k) {
    let mean = 0;
    for (let j = at; j < at + k; j++) mean += members[j] * slopes[j];
    for (let j = at; j < at + k; j++) slopes[j] = members[j] * (slopes[j] - mean);
  }
  return slopes;
}

/** Handles four cells; called constantly, so V8 keeps its compiled code (decision 71). */
function fourThroughSoftmax(
  members: Float32Array,
  slopes: Float32Array,
  k: number,
  a: number,
): void {
  const [b, c, d] = [a + k, a + 2 * k, a + 3 * k];
  let [m0, m1, m2, m3] = [0, 0, 0, 0];
  for (let j = 0; j < k; j++) {
    m0 += members[a + j] * slopes[a + j];
    m1 += members[b + j] * slopes[b + j];
    m2 += members[c + j] * slopes[c + j];
    m3 += members[d + j] * slopes[d + j];
  }
  for (let j = 0; j < k; j++) {
    slopes[a + j] = members[a + j] * (slopes[a + j] - m0);
    slopes[b + j] = members[b + j] * (slopes[b + j] - m1);
    slopes[c + j] = members[c + j] * (slopes[c + j] - m2);
    slopes[d + j] = members[d + j] * (slopes[d + j] - m3);
  }
}
