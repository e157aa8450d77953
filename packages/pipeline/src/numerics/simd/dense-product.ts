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

/** Products of float32 rows with one matrix. */
export interface DenseProduct {
  /** Distance between the rows of the result: the number of columns, rounded up to even. */
  stride: number;
  /**
   * `rows` (n × nRows of the matrix, n at most `mostRows`) times the matrix, n × stride, in double precision. The next
   * call reuses the memory.
   */
  multiply(rows: Float32Array): Float64Array;
}

/**
 * Opens products with one matrix (row-major, nCols columns) in WebAssembly, identical bit for bit to plain loops that
 * sum in double precision, row by row of the matrix. O(n · nRows · nCols) each.
 */
export function openDenseProduct(
  matrix: Float64Array,
  nCols: number,
  mostRows: number,
): DenseProduct {
  const nRows = matrix.length / nCols;
  const stride = nCols + (nCols % 2);
  const groups = Array.from({ length: Math.ceil(stride / TOGETHER) }, (_, i) => ({
    name: `from${i * TOGETHER}`,
    from: i * TOGETHER,
    to: Math.min(stride, (i + 1) * TOGETHER),
  }));
  const { reserve, call } = openSimd(groups.map(multiplyColumns));
  const rowsAt = 8 * stride * nRows;
  const productAt = rowsAt + 8 * (nRows * mostRows + ((nRows * mostRows) % 2));
  const buffer = reserve(productAt + 8 * stride * mostRows);
  const factors = new Float64Array(buffer, 0, stride * nRows);
  for (let row = 0; row < nRows; row++) {
    factors.set(matrix.subarray(row * nCols, (row + 1) * nCols), row * stride);
  }
  const given = new Float64Array(buffer, rowsAt, nRows * mostRows);
  const product = new Float64Array(buffer, productAt, stride * mostRows);
  return {
    stride,
    multiply(rows) {
      given.set(rows);
      const end = rowsAt + 8 * rows.length;
      for (const { name, from } of groups) {
        if (rows.length > 0) call[name](rowsAt, end, 8 * from, productAt + 8 * from);
      }
      return product.subarray(0, (rows.length / nRows) * stride);
    },
  };

  function multiplyColumns({ name, from, to }: (typeof groups)[number]): SimdFunction {
    return simdFunction(name, 4, ([at, end, column, out], { vector, number }): Code => {
      const sums = Array.from({ length: (to - from) / 2 }, () => vector());
      const [rowEnd, factor, value] = [number(), number(), vector()];
      return repeatWhile(isLess(at.get, end.get), [
        ...rowEnd.set(plus(at.get, int(8 * nRows))),
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
