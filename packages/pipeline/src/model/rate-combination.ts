import {
  int,
  isLess,
  load,
  openSimd,
  plus,
  repeatWhile,
  simdFunction,
  store,
  vector,
  type Code,
  type SimdFunction,
} from "../numerics/simd/assembler.ts";

/** Memory for the rates of some cells; results overwrite the model's rates. */
export interface RateCombination {
  /** M and, below it, E of the cells; their products with B: the model's rates and, below them, the expected counts. */
  factors: Float32Array<ArrayBuffer>;
  products: Float32Array<ArrayBuffer>;
  /** Counts seen around each cell. */
  above: Float32Array<ArrayBuffer>;
  /** Turns the model's rates of `rows` cells into λ ∘ (above + a) / (E B + a), or those of own bins. */
  combine(rows: number): void;
}

/**
 * Opens room for up to `most` cells and combines their rates with the evidence around them, four genes at a time in
 * WebAssembly. Every number is rounded to float32 after each operation, as in ONNX Runtime, which applies one operation
 * after another to all cells and so fetches them from memory every time.
 */
export function openRateCombination(
  { k, shape, ownBins }: { k: number; shape: Float32Array; ownBins: boolean },
  most: number,
): RateCombination {
  const n = shape.length;
  const parts = ownBins ? 1 : 2;
  const { reserve, call } = openSimd([ownBins ? ofOwnBins : ofSpots]);
  const lengths = [n, most * parts * k, most * parts * n, most * n];
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
        if (whole > 0) call["combine"](from, from + 4 * whole, expected, seen, shapes.byteOffset);
        for (let gene = whole; gene < n; gene++) {
          const i = row * n + gene;
          const rate = products[i];
          const more = (value: number): number => Math.fround(value + shape[gene]);
          const moved = rate * more(ownBins ? Math.fround(rate * above[i]) : above[i]);
          products[i] = Math.fround(moved) / more(ownBins ? rate : products[i + rows * n]);
        }
      }
    },
  };
}

/** Operations on four floats each. */
const add = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xe4)];
const multiply = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xe6)];
const divide = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xe7)];

type Combined = (rate: Code, seen: Code, expected: Code, shape: Code) => Code;

/**
 * Handles a row of genes. Parameters: start and end of the model's rates, and start of each row that they are combined
 * with.
 */
const combination = (of: Combined): SimdFunction =>
  simdFunction("combine", 5, ([at, end, expected, above, shape], local): Code => {
    const [rate, a] = [local.vector(), local.vector()];
    return repeatWhile(isLess(at.get, end.get), [
      ...rate.set(load(at.get)),
      ...a.set(load(shape.get)),
      ...store(at.get, of(rate.get, load(above.get), load(expected.get), a.get)),
      ...[at, expected, above, shape].flatMap((place) => place.set(plus(place.get, int(16)))),
    ]);
  });

const ofSpots = combination((rate, seen, expected, shape) =>
  divide(multiply(rate, add(seen, shape)), add(expected, shape)),
);
const ofOwnBins = combination((rate, seen, _expected, shape) =>
  divide(multiply(rate, add(multiply(rate, seen), shape)), add(rate, shape)),
);
