import { expect, it } from "vitest";
import { Random } from "../random.ts";
import { multiplyDense } from "../sparse.ts";
import { openSparseProduct } from "./sparse-product.ts";

it.each([1, 2, 3, 11, 12, 13, 24, 40])(
  "matches the plain loop bit for bit with %i columns",
  (width) => {
    const random = new Random(width);
    const [nRows, nCols] = [29, 50];
    const rows = Array.from({ length: nRows }, (_, row) =>
      // Include rows without entries: the first, the last, and some in between.
      row % 7 === 0 ? [] : Array.from({ length: random.below(20) }, () => random.below(nCols)),
    );
    const indptr = new Uint32Array(nRows + 1);
    rows.forEach((row, i) => (indptr[i + 1] = indptr[i]! + row.length));
    const indices = Uint32Array.from(rows.flat());
    const data = Float32Array.from(indices, () => random.gamma(0.5));
    const matrix = { nRows, nCols, indptr, indices, data };
    const multiply = openSparseProduct(matrix, width);
    // Run twice: nothing may be left over from the previous product.
    for (let time = 0; time < 2; time++) {
      const dense = Float32Array.from({ length: nCols * width }, () => random.gamma(0.1));
      expect(Float32Array.from(multiply(dense))).toEqual(multiplyDense(matrix, dense, width));
    }
  },
);
