import { openGraph } from "@stipple/numerics/onnx-graph";
import { openKernels } from "./kernels.ts";
import { GUARDS } from "./limits.ts";

const { NO_COUNTS } = GUARDS;

/** Profiles B, k × nGenes, and the weight of each gene's model. */
export interface RateModel {
  profile: Float32Array;
  k: number;
  nGenes: number;
  shape: Float32Array;
  /** Whether cells have their own bins (HD), to which weights are relative; for spots they are UMIs. */
  ownBins: boolean;
}

/**
 * Rates of some cells over some genes: λ ∘ (above + p) / (E B + p) with λ = M B; p, the counts that the model adds, is the
 * gene's weight or, for own bins, the weight times E B. `members` M and `exposed` E are rows × k; `above` (the counts around
 * each cell) and the result `out` are rows × genes, row-major. A row's bits do not depend on the rows computed with it.
 */
export type RateKernel = (
  members: Float32Array,
  exposed: Float32Array,
  above: Float32Array,
  out: Float32Array,
) => Promise<void>;

/** Opens the kernel for profiles B (k × nGenes); the products are ONNX Runtime's. */
export async function openRateKernel(model: RateModel): Promise<RateKernel> {
  const { profile, k, nGenes } = model;
  const multiply = await openGraph({
    nodes: [{ operator: "MatMul", inputs: ["factors", "profile"], output: "products" }],
    constants: [{ name: "profile", shape: [k, nGenes], data: profile }],
    inputs: [{ name: "factors", shape: ["rows", k] }],
    output: { name: "products", shape: ["rows", nGenes] },
  });
  const spare: { most: number; buffers: RateCombination }[] = [];
  return async (members, exposed, above, out) => {
    const rows = members.length / k;
    const held = spare.pop();
    // A concurrent call gets its own buffers.
    const { most, buffers } =
      held && held.most >= rows ? held : { most: rows, buffers: openRateCombination(model, rows) };
    buffers.factors.set(members);
    buffers.factors.set(exposed, members.length);
    await multiply.into(
      buffers.products.subarray(0, 2 * rows * nGenes),
      buffers.factors.subarray(0, 2 * rows * k),
    );
    buffers.above.set(above);
    buffers.combine(rows);
    out.set(buffers.products.subarray(0, out.length));
    spare.push({ most, buffers });
  };
}

/** The rate given by own bins with observed ÷ expected counts of `ratio`: as above, divided by what is expected. */
export function updatedByBins(rate: number, shape: number, ratio: number): number {
  return (rate * (ratio + shape)) / (1 + shape);
}

/** Memory for the rates of some cells; results overwrite the model's rates. */
interface RateCombination {
  /** M and, below it, E of the cells; their products with B: the model's rates and, below them, the expected counts. */
  factors: Float32Array<ArrayBuffer>;
  products: Float32Array<ArrayBuffer>;
  /** Counts seen around each cell. */
  above: Float32Array<ArrayBuffer>;
  /** Turns the model's rates of `rows` cells into λ ∘ (above + p) / (E B + p), with p as in rate-kernel.ts. */
  combine(rows: number): void;
}

/**
 * Opens buffers for up to `most` cells and combines their rates with the evidence around them by compiled loops
 * (`assembly/rates.ts`). Every number is rounded to float32 after each operation, as in ONNX Runtime, which applies one
 * operation after another to all cells and so fetches them from memory every time.
 */
export function openRateCombination(
  { k, shape, ownBins }: { k: number; shape: Float32Array; ownBins: boolean },
  most: number,
): RateCombination {
  const n = shape.length;
  const { reserve, call } = openKernels();
  const lengths = [n, 2 * most * k, 2 * most * n, most * n];
  const buffer = reserve(4 * lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  const [shapes, factors, products, above] = lengths.map((length) => {
    const part = new Float32Array(buffer, at, length);
    at += 4 * length;
    return part;
  });
  shapes.set(shape);
  const whole = n - (n % 4);
  return {
    factors,
    products,
    above,
    combine(rows) {
      for (let row = 0; row < rows; row++) {
        const from = products.byteOffset + 4 * row * n;
        const expected = from + 4 * rows * n;
        const seen = above.byteOffset + 4 * row * n;
        const combine = ownBins ? call.combineBins : call.combineSpots;
        combine(from, from + 4 * whole, expected, seen, shapes.byteOffset);
        for (let gene = whole; gene < n; gene++) {
          const i = row * n + gene;
          const below = products[i + rows * n];
          const prior = ownBins
            ? Math.fround(Math.fround(shape[gene] * below) + Math.fround(NO_COUNTS))
            : shape[gene];
          const moved = Math.fround(products[i] * Math.fround(above[i] + prior));
          products[i] = moved / Math.fround(below + prior);
        }
      }
    },
  };
}
