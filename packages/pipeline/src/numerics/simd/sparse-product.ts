import type { SparseMatrix } from "../../fields.ts";
import {
  add,
  int,
  isLess,
  load32,
  loadFloats,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  simdFunction,
  storeFloats,
  when,
  ZERO,
  type Code,
  type SimdFunction,
} from "./assembler.ts";

/** Columns whose sums are computed side by side: as many as fit in the processor's registers. */
const TOGETHER = 12;
/** Bytes per entry: start of its row in the dense matrix, padded to eight bytes, and its value as a double. */
const ENTRY = 16;

/**
 * Opens products of one sparse matrix with dense ones (nCols × width, row-major) in WebAssembly, identical bit for bit
 * to {@link multiplyDense}: for products that are computed again and again. The result, nRows × width, is in memory
 * that the next call reuses. O(entries · width) each.
 */
export function openSparseProduct(
  { nRows, nCols, indptr, indices, data }: SparseMatrix,
  width: number,
): (dense: Float32Array) => Float32Array {
  // Columns are processed in pairs; an odd number is padded with zeros.
  const stride = width + (width % 2);
  const { reserve, call } = openSimd(
    columnGroups(stride).map(({ from, to }) => multiplyColumns(`from${from}`, from, to)),
  );
  const startsAt = 0;
  const entriesAt = ENTRY * Math.ceil((4 * (nRows + 1)) / ENTRY);
  const denseAt = entriesAt + ENTRY * indices.length;
  const productAt = denseAt + 4 * stride * nCols;
  const buffer = reserve(productAt + 4 * stride * nRows);
  const starts = new Uint32Array(buffer, startsAt, nRows + 1);
  for (let row = 0; row <= nRows; row++) starts[row] = entriesAt + ENTRY * indptr[row];
  const places = new Uint32Array(buffer, entriesAt, (ENTRY / 4) * indices.length);
  const values = new Float64Array(buffer, entriesAt, (ENTRY / 8) * indices.length);
  for (let e = 0; e < indices.length; e++) {
    places[4 * e] = denseAt + 4 * stride * indices[e];
    values[2 * e + 1] = data[e];
  }
  const factors = new Float32Array(buffer, denseAt, stride * nCols);
  const product = new Float32Array(buffer, productAt, stride * nRows);
  return (dense) => {
    if (stride === width) factors.set(dense);
    else spread(dense, factors, width, stride);
    for (const { from } of columnGroups(stride)) {
      if (nRows > 0) call[`from${from}`](startsAt, startsAt + 4 * nRows, productAt + 4 * from);
    }
    return stride === width ? product : gathered(product, width, stride);
  };

  function multiplyColumns(name: string, from: number, to: number): SimdFunction {
    return simdFunction(name, 3, ([row, lastRow, product], { vector, number }): Code => {
      const sums = Array.from({ length: (to - from) / 2 }, () => vector());
      const [entry, end, dense, value] = [number(), number(), number(), vector()];
      return repeatWhile(isLess(row.get, lastRow.get), [
        ...entry.set(load32(row.get)),
        ...end.set(load32(plus(row.get, int(4)))),
        ...sums.flatMap((sum) => sum.set(ZERO)),
        ...when(
          isLess(entry.get, end.get),
          repeatWhile(isLess(entry.get, end.get), [
            ...dense.set(load32(entry.get)),
            ...value.set(loadTwice(entry.get, 8)),
            ...sums.flatMap((sum, i) =>
              sum.set(add(sum.get, multiply(value.get, loadFloats(dense.get, 4 * from + 8 * i)))),
            ),
            ...entry.set(plus(entry.get, int(ENTRY))),
          ]),
          [],
        ),
        ...sums.flatMap((sum, i) => storeFloats(product.get, sum.get, 8 * i)),
        ...product.set(plus(product.get, int(4 * stride))),
        ...row.set(plus(row.get, int(4))),
      ]);
    });
  }
}

function columnGroups(stride: number): { from: number; to: number }[] {
  return Array.from({ length: Math.ceil(stride / TOGETHER) }, (_, i) => ({
    from: i * TOGETHER,
    to: Math.min(stride, (i + 1) * TOGETHER),
  }));
}

function spread(dense: Float32Array, into: Float32Array, width: number, stride: number): void {
  for (let from = 0, to = 0; from < dense.length; from += width, to += stride) {
    for (let j = 0; j < width; j++) into[to + j] = dense[from + j];
  }
}

/** Removes the padding columns, in the same memory. */
function gathered(product: Float32Array, width: number, stride: number): Float32Array {
  const nRows = product.length / stride;
  for (let row = 1; row < nRows; row++) {
    product.copyWithin(row * width, row * stride, row * stride + width);
  }
  return product.subarray(0, nRows * width);
}
