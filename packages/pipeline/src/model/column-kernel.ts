import type { Matrix } from "../fields.ts";
import {
  add,
  areNegative,
  asDoubles,
  divide,
  firsts,
  int,
  isLess,
  load32,
  loadFloats,
  loadPair,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  seconds,
  shifted,
  simdFunction,
  store,
  storeFloats,
  ZERO,
  type Code,
  type SimdFunction,
} from "../numerics/simd/assembler.ts";
import { choose } from "../numerics/simd/words.ts";

/** Rows multiplied side by side, so that each sum waits only for its own last term. */
const TOGETHER = 8;
/** If at least this fraction of a tile's bins has counts, computing the expected counts of all its bins is faster. */
const MANY = 1 / 8;
/** Rows whose factors are copied into the kernel's memory at a time: few enough to stay in the processor's cache. */
const TILE = 512;

/** For cells with bins of their own: the indices of these bins, −1 for none, and their weights. */
export interface OwnBinsAround {
  near: Matrix<Int32Array>;
  weight: Matrix<Float32Array>;
  nBins: number;
}

/** A gene's counts in bins. */
interface Counts {
  indices: Uint32Array;
  data: Float32Array;
}

/** Loops over all cells for one gene. */
export interface ColumnKernel {
  /** A matrix of k columns times b, one sum per row in double precision, rounded to a float. O(rows · k). */
  product(matrix: Float32Array, b: Float64Array, out: Float32Array): void;
  /**
   * The same for the memberships of all cells, with each sum updated by the counts of the cell's own bins: see
   * `posteriorMean`. Reads one number per bin from {@link ColumnKernel.ratio}.
   */
  ownBinRates(members: Float32Array, b: Float64Array, shape: number, out: Float32Array): void;
  /** Observed over expected counts of each bin, 0 between genes; empty without own bins. */
  ratio: Float32Array;
  /** Writes the ratios for a gene's counts: the expected count of a bin is `exposure` times b. Ascending indices. */
  setRatios(exposure: Float32Array, b: Float64Array, counts: Counts): void;
}

/**
 * Opens the loops in WebAssembly, two cells at a time and bit-identical to plain loops. The factors stay in place and
 * are copied tile by tile into a small buffer of the kernel, because the time goes into fetching them from memory.
 */
export function openColumnKernel(k: number, around: OwnBinsAround | null): ColumnKernel {
  const width = around?.near.nCols ?? 0;
  const { reserve, call } = openSimd([
    products("products", k, "floats"),
    ...(around ? [products("exactProducts", k, "doubles"), ownBins(width)] : []),
  ]);
  let end = 0;
  const room = (bytes: number): number => {
    const at = end;
    end += 16 * Math.ceil(bytes / 16);
    return at;
  };
  const shapeAt = room(8);
  const twiceAt = room(8 * k);
  // If k is odd, the last row is read together with whatever follows it.
  const rowsAt = room(4 * TILE * k + 16);
  const outAt = room((around ? 8 : 4) * TILE);
  const nearAt = room(4 * TILE * width);
  const weightAt = room(4 * TILE * width);
  const ratioAt = room(4 * ((around?.nBins ?? 0) + 1));
  const buffer = reserve(end);
  const rows = new Float32Array(buffer, rowsAt, TILE * k);
  const sums = new Float32Array(buffer, outAt, TILE);
  const exactSums = new Float64Array(buffer, outAt, around ? TILE : 0);
  const profile = new Float64Array(buffer, twiceAt, k);
  const shapes = new Float64Array(buffer, shapeAt, 1);
  const near = new Int32Array(buffer, nearAt, TILE * width);
  const weight = new Float32Array(buffer, weightAt, TILE * width);
  // Index −1 stands for no bin and reads the 0 before the first one.
  const ratio = new Float32Array(buffer, ratioAt + 4, around?.nBins ?? 0);

  function multiplyTile(name: string, matrix: Float32Array, from: number, count: number): void {
    rows.set(matrix.subarray(from * k, (from + count) * k));
    // Whatever follows the last row is multiplied too, but the result is ignored.
    const upTo = TOGETHER * Math.ceil(count / TOGETHER);
    call[name](rowsAt, rowsAt + 4 * k * upTo, twiceAt, twiceAt + 8 * k, outAt);
  }
  function eachTile(
    matrix: Float32Array,
    b: Float64Array,
    out: Float32Array,
    move: (from: number, count: number) => void,
  ): void {
    profile.set(b);
    for (let from = 0; from < out.length; from += TILE) {
      const count = Math.min(TILE, out.length - from);
      multiplyTile("products", matrix, from, count);
      move(from, count);
      out.set(count === TILE ? sums : sums.subarray(0, count), from);
    }
  }

  return {
    ratio,
    setRatios(exposure, b, { indices, data }) {
      profile.set(b);
      for (let e = 0, next = 0; e < indices.length; e = next) {
        const from = indices[e] - (indices[e] % TILE);
        const count = Math.min(TILE, ratio.length - from);
        while (next < indices.length && indices[next] < from + count) next++;
        const isMany = next - e >= MANY * count;
        if (isMany) multiplyTile("exactProducts", exposure, from, count);
        for (; e < next; e++) {
          const bin = indices[e];
          const mean = isMany ? exactSums[bin - from] : dot(exposure, bin * k, b);
          if (mean > 0) ratio[bin] = data[e] / mean;
        }
      }
    },
    product(matrix, b, out) {
      eachTile(matrix, b, out, () => undefined);
    },
    ownBinRates(members, b, shape, out) {
      shapes[0] = shape;
      eachTile(members, b, out, (from, count) => {
        near.set(around!.near.data.subarray(from * width, (from + count) * width));
        weight.set(around!.weight.data.subarray(from * width, (from + count) * width));
        const upTo = outAt + 4 * (count + (count % 2));
        call["ownBins"](outAt, upTo, nearAt, weightAt, ratioAt + 4, shapeAt);
      });
    },
  };
}

/** The row of a matrix that begins at `from`, times b. */
function dot(matrix: Float32Array, from: number, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < b.length; j++) sum += matrix[from + j] * b[j];
  return sum;
}

/**
 * Consecutive rows times a vector of doubles. Parameters: start and end of the rows and of the vector, and the output.
 */
function products(name: string, k: number, into: "floats" | "doubles"): SimdFunction {
  const rowBytes = 4 * k;
  const [put, bytes] = into === "floats" ? [storeFloats, 4] : [store, 8];
  return simdFunction(name, 5, ([at, end, from, to, out], local): Code => {
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
      ...sums.flatMap((sum, pair) => put(out.get, sum.get, 2 * bytes * pair)),
      ...out.set(plus(out.get, int(bytes * TOGETHER))),
      ...at.set(plus(at.get, int(TOGETHER * rowBytes))),
    ]);
  });
}

/**
 * Updates the model's rates of cells. Parameters: start and end of the rates, and addresses of the indices of the
 * cells' bins, the weights, the ratios of all bins, and the shape. Two cells at a time; a cell whose first index is −1
 * keeps its rate.
 */
function ownBins(width: number): SimdFunction {
  return simdFunction("ownBins", 6, ([at, end, near, weight, ratio, shape], local): Code => {
    const [lambda, around, a, isAlone] = [
      local.vector(),
      local.vector(),
      local.vector(),
      local.vector(),
    ];
    const [last, one, other] = [local.number(), local.number(), local.number()];
    const ofOther = 4 * width;
    const placeOf = (from: Code): Code => plus(ratio.get, shifted(load32(from), 2));
    return [
      ...a.set(loadTwice(shape.get)),
      ...repeatWhile(isLess(at.get, end.get), [
        ...lambda.set(loadFloats(at.get)),
        ...around.set(ZERO),
        ...isAlone.set(areNegative(loadPair(near.get, plus(near.get, int(ofOther))))),
        ...last.set(plus(near.get, int(ofOther))),
        ...repeatWhile(isLess(near.get, last.get), [
          ...one.set(placeOf(near.get)),
          ...other.set(placeOf(plus(near.get, int(ofOther)))),
          ...around.set(
            add(
              around.get,
              multiply(
                asDoubles(loadPair(weight.get, plus(weight.get, int(ofOther)))),
                asDoubles(loadPair(one.get, other.get)),
              ),
            ),
          ),
          ...near.set(plus(near.get, int(4))),
          ...weight.set(plus(weight.get, int(4))),
        ]),
        ...near.set(plus(near.get, int(ofOther))),
        ...weight.set(plus(weight.get, int(ofOther))),
        ...around.set(
          divide(
            multiply(lambda.get, add(a.get, multiply(lambda.get, around.get))),
            add(a.get, lambda.get),
          ),
        ),
        ...storeFloats(at.get, choose(lambda.get, around.get, isAlone.get)),
        ...at.set(plus(at.get, int(8))),
      ]),
    ];
  });
}
