import {
  add,
  int,
  isLess,
  load,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  simdFunction,
  store,
  ZERO,
  type Code,
  type SimdFunction,
} from "./assembler.ts";

/** Columns whose sums are computed side by side: as many as fit in the processor's registers. */
const TOGETHER = 16;

/** Products of small dense matrices, in memory that the caller fills and reads. */
export interface DenseProduct {
  /** Left factor, up to `most` rows × inner. */
  rows: Float64Array;
  /** Right factor, inner × stride. */
  matrix: Float64Array;
  /** The number of columns, rounded up to even. */
  stride: number;
  /** Product of the first n rows with the matrix, n × stride; the next call reuses the memory. */
  of(n: number): Float64Array;
}

/**
 * Opens products in WebAssembly, identical bit for bit to plain loops that sum in double precision over the inner
 * dimension in order. O(n · inner · nCols) each.
 */
export function openDenseProduct(inner: number, nCols: number, most: number): DenseProduct {
  const stride = nCols + (nCols % 2);
  const groups = Array.from({ length: Math.ceil(stride / TOGETHER) }, (_, i) => ({
    name: `from${i * TOGETHER}`,
    from: i * TOGETHER,
    to: Math.min(stride, (i + 1) * TOGETHER),
  }));
  const { reserve, call } = openSimd(groups.map(multiplyColumns));
  const rowsAt = 8 * stride * inner;
  const productAt = rowsAt + 16 * Math.ceil((inner * most) / 2);
  const buffer = reserve(productAt + 8 * stride * most);
  const product = new Float64Array(buffer, productAt, stride * most);
  return {
    rows: new Float64Array(buffer, rowsAt, inner * most),
    matrix: new Float64Array(buffer, 0, stride * inner),
    stride,
    of(n) {
      for (const { name, from } of groups) {
        if (n > 0) call[name](rowsAt, rowsAt + 8 * inner * n, 8 * from, productAt + 8 * from);
      }
      return product.subarray(0, n * stride);
    },
  };

  function multiplyColumns({ name, from, to }: (typeof groups)[number]): SimdFunction {
    return simdFunction(name, 4, ([at, end, column, out], { vector, number }): Code => {
      const sums = Array.from({ length: (to - from) / 2 }, () => vector());
      const [rowEnd, factor, value] = [number(), number(), vector()];
      return repeatWhile(isLess(at.get, end.get), [
        ...rowEnd.set(plus(at.get, int(8 * inner))),
        ...factor.set(column.get),
        ...sums.flatMap((sum) => sum.set(ZERO)),
        ...repeatWhile(isLess(at.get, rowEnd.get), [
          ...value.set(loadTwice(at.get)),
          ...sums.flatMap((sum, i) =>
            sum.set(add(sum.get, multiply(value.get, load(factor.get, 16 * i)))),
          ),
          ...factor.set(plus(factor.get, int(8 * stride))),
          ...at.set(plus(at.get, int(8))),
        ]),
        ...sums.flatMap((sum, i) => store(out.get, sum.get, 16 * i)),
        ...out.set(plus(out.get, int(8 * stride))),
      ]);
    });
  }
}
