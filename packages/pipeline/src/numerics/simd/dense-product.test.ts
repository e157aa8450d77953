import { expect, it } from "vitest";
import { Random } from "../random.ts";
import { openDenseProduct } from "./dense-product.ts";

it.each([1, 2, 3, 8, 15, 16, 17, 31, 40])(
  "matches the plain loop bit for bit with %i columns",
  (nCols) => {
    const random = new Random(nCols);
    const inner = 23;
    const { rows, matrix, stride, of } = openDenseProduct(inner, nCols, 7);
    // Fewer rows after more, and other factors: nothing may be left over from the previous product.
    for (const n of [7, 1, 0, 4]) {
      for (let i = 0; i < n * inner; i++) rows[i] = random.normal();
      for (let i = 0; i < matrix.length; i++) matrix[i] = random.normal();
      const expected = Float64Array.from({ length: n * nCols }, (_, at) => {
        const [row, column] = [Math.floor(at / nCols), at % nCols];
        let sum = 0;
        for (let i = 0; i < inner; i++) sum += rows[row * inner + i] * matrix[i * stride + column];
        return sum;
      });
      const product = of(n);
      expect(product.length).toBe(n * stride);
      const found = Float64Array.from(
        expected,
        (_, at) => product[Math.floor(at / nCols) * stride + (at % nCols)],
      );
      expect(found).toEqual(expected);
    }
  },
);
