import { openKernels } from "./kernels.ts";
import { GUARDS } from "./limits.ts";

const { NO_COUNTS } = GUARDS;

/** The counts that the model adds to those around a cell, both observed and expected (`expected`, without these). */
export function priorCounts(shape: number, expected: number, ownBins: boolean): number {
  return ownBins ? shape * expected + NO_COUNTS : shape;
}

/** Memory for the rates of some cells; results overwrite the model's rates. */
export interface RateCombination {
  /** M and, below it, E of the cells; their products with B: the model's rates and, below them, the expected counts. */
  factors: Float32Array<ArrayBuffer>;
  products: Float32Array<ArrayBuffer>;
  /** Counts seen around each cell. */
  above: Float32Array<ArrayBuffer>;
  /** Turns the model's rates of `rows` cells into λ ∘ (above + p) / (E B + p), with p as in rate-kernel.ts. */
  combine(rows: number): void;
}

/**
 * Opens room for up to `most` cells and combines their rates with the evidence around them by compiled loops
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
