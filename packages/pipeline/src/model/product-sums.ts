import { openSimd } from "../numerics/simd/assembler.ts";
import { addRows } from "../numerics/simd/row-sums.ts";

/** Rows that are added at a time: a quarter of the loads and stores. */
const TOGETHER = 4;

/** Sums of rows by their shares. */
export interface ProductSums {
  /**
   * Room for sums (nSums × n, zeroed) and the rows that they are made of, each of length n and filled by the caller. What
   * was there before is lost.
   */
  reserve(nSums: number, n: number): { sums: Float64Array; row(index: number): Float32Array };
  /** Sum `which` ← sum + Σ share · row, in this order. */
  add(which: number, rows: Uint32Array, shares: ArrayLike<number>): void;
}

/**
 * Opens sums of up to k rows in WebAssembly: two doubles at a time, with the bits of the loops written out, in half of
 * their time.
 */
export function openProductSums(k: number): ProductSums {
  const { reserve, call } = openSimd(
    [1, TOGETHER].map((nRows) => addRows(`sum${nRows}`, nRows, "floats")),
  );
  const sharesAt = 0;
  const rowsAt = 8 * TOGETHER;
  let [n, stride, sumsAt] = [0, 0, 0];
  let given = new Float64Array(0);
  let sums = new Float64Array(0);
  let row = (_index: number): Float32Array => new Float32Array(0);
  return {
    reserve(nSums, length) {
      n = length;
      stride = 8 * Math.ceil(n / 2);
      sumsAt = rowsAt + k * stride;
      const buffer = reserve(sumsAt + 8 * nSums * n);
      given = new Float64Array(buffer, sharesAt, TOGETHER);
      sums = new Float64Array(buffer, sumsAt, nSums * n).fill(0);
      row = (index) => new Float32Array(buffer, rowsAt + index * stride, n);
      return { sums, row };
    },
    add(which, rows, shares) {
      const at = sumsAt + 8 * which * n;
      const even = at + 16 * (n >> 1);
      for (let i = 0; i < rows.length;) {
        const together = rows.length - i >= TOGETHER ? TOGETHER : 1;
        for (let r = 0; r < together; r++) given[r] = shares[i + r];
        const places = Array.from(rows.subarray(i, i + together), (r) => rowsAt + r * stride);
        if (even > at) call[`sum${together}`](at, even, sharesAt, ...places);
        if (n % 2 === 1) {
          const last = which * n + n - 1;
          for (let r = 0; r < together; r++) sums[last] += shares[i + r] * row(rows[i + r])[n - 1];
        }
        i += together;
      }
    },
  };
}
