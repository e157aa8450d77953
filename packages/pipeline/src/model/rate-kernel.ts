import { openGraph } from "../numerics/onnx-graph.ts";

/** Counts added to observed and expected before their ratio is taken, so that rare genes are left as the model has them. */
export const PSEUDO_COUNT = 10;

/** Rates of some cells over some genes, computed as matrices. */
export interface RateKernel {
  by: "ONNX Runtime" | "formula";
  /**
   * (M B) ∘ (above + 10) / (E B + 10): `members` M and `exposed` E are rows × k, `above` (observed counts around each
   * cell) and `out`, where the result is put, rows × genes, row-major. The same bits whatever rows are computed together.
   */
  run(
    members: Float32Array,
    exposed: Float32Array,
    above: Float32Array,
    out: Float32Array,
  ): Promise<void>;
}

/**
 * Opens the kernel for profiles B (k × nGenes): by ONNX Runtime, whose matrix product takes a thirtieth of the time of
 * the formula written out; written out where ONNX Runtime does not run on this machine.
 */
export async function openRateKernel(
  profile: Float32Array,
  k: number,
  nGenes: number,
): Promise<RateKernel> {
  try {
    return await onnxKernel(profile, k, nGenes);
  } catch {
    return plainKernel(profile, k, nGenes);
  }
}

async function onnxKernel(profile: Float32Array, k: number, nGenes: number): Promise<RateKernel> {
  const run = await openGraph({
    nodes: [
      { operator: "MatMul", inputs: ["members", "profile"], output: "model" },
      { operator: "MatMul", inputs: ["exposed", "profile"], output: "expected" },
      { operator: "Add", inputs: ["above", "pseudo"], output: "observedMore" },
      { operator: "Add", inputs: ["expected", "pseudo"], output: "expectedMore" },
      { operator: "Mul", inputs: ["model", "observedMore"], output: "moved" },
      { operator: "Div", inputs: ["moved", "expectedMore"], output: "rate" },
    ],
    constants: [
      { name: "profile", shape: [k, nGenes], data: profile },
      { name: "pseudo", shape: [1, 1], data: Float32Array.of(PSEUDO_COUNT) },
    ],
    inputs: [
      { name: "members", shape: ["rows", k] },
      { name: "exposed", shape: ["rows", k] },
      { name: "above", shape: ["rows", nGenes] },
    ],
    output: { name: "rate", shape: ["rows", nGenes] },
  });
  return {
    by: "ONNX Runtime",
    run: (members, exposed, above, out) => run.into(out, members, exposed, above),
  };
}

/** The formula written out. */
export function plainKernel(profile: Float32Array, k: number, nGenes: number): RateKernel {
  return {
    by: "formula",
    run(members, exposed, above, out) {
      out.set(plainRates({ profile, k, nGenes }, members, exposed, above));
      return Promise.resolve();
    },
  };
}

export function plainRates(
  { profile, k, nGenes }: { profile: Float32Array; k: number; nGenes: number },
  members: Float32Array,
  exposed: Float32Array,
  above: Float32Array,
): Float32Array {
  const rates = new Float32Array(above.length);
  const below = new Float32Array(nGenes);
  for (let row = 0; row < members.length / k; row++) {
    const rate = rates.subarray(row * nGenes, (row + 1) * nGenes);
    below.fill(PSEUDO_COUNT);
    for (let j = 0; j < k; j++) {
      const m = members[row * k + j];
      const e = exposed[row * k + j];
      const b = profile.subarray(j * nGenes, (j + 1) * nGenes);
      // Shares this small cannot be seen in float32 sums.
      if (m > 1e-7) for (let g = 0; g < nGenes; g++) rate[g] += m * b[g];
      if (e > 1e-7) for (let g = 0; g < nGenes; g++) below[g] += e * b[g];
    }
    for (let g = 0; g < nGenes; g++) {
      rate[g] *= (above[row * nGenes + g] + PSEUDO_COUNT) / below[g];
    }
  }
  return rates;
}
