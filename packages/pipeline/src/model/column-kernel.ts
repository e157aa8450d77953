import {
  add,
  firsts,
  int,
  isLess,
  loadFloats,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  seconds,
  simdFunction,
  storeFloats,
  ZERO,
  type Code,
  type SimdFunction,
} from "../numerics/simd/assembler.ts";

/** Rows multiplied side by side, so that each sum waits only for its own last term. */
const TOGETHER = 8;
/** Rows whose factors are copied into the kernel's memory at a time: few enough to stay in the processor's cache. */
const TILE = 512;

/** Loops over all cells for one gene. */
export interface ColumnKernel {
  /** A matrix of k columns times b, one sum per row in double precision, rounded to a float. O(rows · k). */
  product(matrix: Float32Array, b: Float64Array, out: Float32Array): void;
}

/**
 * Opens the loops in WebAssembly, two rows at a time and bit-identical to plain loops. The factors stay in place and
 * are copied tile by tile into a small buffer of the kernel, because the time goes into fetching them from memory.
 */
export function openColumnKernel(k: number): ColumnKernel {
  const { reserve, call } = openSimd([products(k)]);
  // If k is odd, the last row is read together with whatever follows it.
  const rowsAt = 8 * k + ((8 * k) % 16);
  const outAt = rowsAt + 4 * TILE * k + 16;
  const buffer = reserve(outAt + 4 * TILE);
  const profile = new Float64Array(buffer, 0, k);
  const rows = new Float32Array(buffer, rowsAt, TILE * k);
  const sums = new Float32Array(buffer, outAt, TILE);
  return {
    product(matrix, b, out) {
      profile.set(b);
      for (let from = 0; from < out.length; from += TILE) {
        const count = Math.min(TILE, out.length - from);
        rows.set(matrix.subarray(from * k, (from + count) * k));
        // Whatever follows the last row is multiplied too, but the result is ignored.
        const upTo = TOGETHER * Math.ceil(count / TOGETHER);
        call["products"](rowsAt, rowsAt + 4 * k * upTo, 0, 8 * k, outAt);
        out.set(count === TILE ? sums : sums.subarray(0, count), from);
      }
    },
  };
}

/**
 * Consecutive rows times a vector of doubles. Parameters: start and end of the rows and of the vector, and the output.
 */
function products(k: number): SimdFunction {
  const rowBytes = 4 * k;
  return simdFunction("products", 5, ([at, end, from, to, out], local): Code => {
    const [place, column] = [local.number(), local.number()];
    const [first, second, x, y] = [local.vector(), local.vector(), local.vector(), local.vector()];
    const sums = Array.from({ length: TOGETHER / 2 }, () => local.vector());
    const ofPair = (pair: number): Code => [
      ...first.set(loadFloats(place.get, 2 * pair * rowBytes)),
      ...second.set(loadFloats(place.get, (2 * pair + 1) * rowBytes)),
    ];
    const grow = (pair: number, values: Code, factor: Code): Code =>
      sums[pair].set(add(sums[pair].get, multiply(values, factor)));
    const twoColumns = [
      ...x.set(loadTwice(column.get)),
      ...y.set(loadTwice(column.get, 8)),
      ...sums.flatMap((_, pair) => [
        ...ofPair(pair),
        ...grow(pair, firsts(first.get, second.get), x.get),
        ...grow(pair, seconds(first.get, second.get), y.get),
      ]),
      ...place.set(plus(place.get, int(8))),
      ...column.set(plus(column.get, int(16))),
    ];
    const lastColumn = [
      ...x.set(loadTwice(column.get)),
      ...sums.flatMap((_, pair) => [
        ...ofPair(pair),
        ...grow(pair, firsts(first.get, second.get), x.get),
      ]),
    ];
    return repeatWhile(isLess(at.get, end.get), [
      ...place.set(at.get),
      ...column.set(from.get),
      ...sums.flatMap((sum) => sum.set(ZERO)),
      ...(k > 1
        ? repeatWhile(isLess(column.get, plus(to.get, int(k % 2 === 1 ? -8 : 0))), twoColumns)
        : []),
      ...(k % 2 === 1 ? lastColumn : []),
      ...sums.flatMap((sum, pair) => storeFloats(out.get, sum.get, 8 * pair)),
      ...out.set(plus(out.get, int(4 * TOGETHER))),
      ...at.set(plus(at.get, int(TOGETHER * rowBytes))),
    ]);
  });
}
