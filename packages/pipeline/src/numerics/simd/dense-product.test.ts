import { expect, it } from "vitest";
import { Random } from "../random.ts";
import { openDenseProduct } from "./dense-product.ts";

it.each([1, 2, 3, 15, 16, 17, 31, 40])(
  "matches the plain loop bit for bit with %i columns",
  (nCols) => {
    const random = new Random(nCols);
    const nRows = 23;
    const matrix = Float64Array.from({ length: nRows * nCols }, () => random.normal());
    const { multiply, stride } = openDenseProduct(matrix, nCols, 7);
    // Fewer rows after more: nothing may be left over from the previous product.
    for (const n of [7, 1, 0, 4]) {
      const rows = Float32Array.from({ length: n * nRows }, () => random.normal());
      const expected = Float64Array.from({ length: n * nCols }, (_, at) => {
        const [row, column] = [Math.floor(at / nCols), at % nCols];
        let sum = 0;
        for (let i = 0; i < nRows; i++) sum += rows[row * nRows + i] * matrix[i * nCols + column];
        return sum;
      });
      const product = multiply(rows);
      expect(product.length).toBe(n * stride);
      const found = Float64Array.from(
        expected,
        (_, at) => product[Math.floor(at / nCols) * stride + (at % nCols)],
      );
      expect(found).toEqual(expected);
    }
  },
);
