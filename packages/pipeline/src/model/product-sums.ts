import { openKernels } from "./kernels.ts";

/** Rows added at a time: a quarter of the loads and stores. */
const TOGETHER = 4;

/** Weighted sums of rows. */
export interface ProductSums<R extends Float32Array | Float64Array> {
  /**
   * Room for sums (nSums × n, zeroed) and for the rows that they add up, each of length n and filled by the caller: row
   * i begins at `i * rowLength`. Previous contents are lost.
   */
  reserve(nSums: number, n: number): { sums: Float64Array; rows: R; rowLength: number };
  /** Sum `which` ← sum + Σ share · row over the entries from … to − 1 of the two arrays, in this order. */
  add(
    which: number,
    rows: Uint32Array,
    shares: Float32Array | Float64Array,
    from: number,
    to: number,
  ): void;
}

/** Opens sums of up to k rows of floats or of doubles: compiled loops in memory of their own (`assembly/rows.ts`). */
export function openProductSums<R extends Float32Array | Float64Array>(
  k: number,
  Row: { new (buffer: ArrayBuffer, at?: number): R; BYTES_PER_ELEMENT: number },
): ProductSums<R> {
  const { reserve, call } = openKernels();
  const bytes = Row.BYTES_PER_ELEMENT;
  const [addOne, addFour] =
    bytes === 4 ? [call.addFloats, call.addFourFloats] : [call.addDoubles, call.addFourDoubles];
  const sharesAt = 0;
  const rowsAt = 8 * TOGETHER;
  let [n, stride, sumsAt] = [0, 0, 0];
  let buffer = new ArrayBuffer(0);
  let given = new Float64Array(0);
  let sums = new Float64Array(0);
  let values = new Row(buffer);
  return {
    reserve(nSums, length) {
      n = length;
      // In pairs, as they are added.
      stride = 2 * bytes * Math.ceil(n / 2);
      sumsAt = rowsAt + k * stride;
      const room = reserve(sumsAt + 8 * nSums * n);
      if (room !== buffer) {
        buffer = room;
        given = new Float64Array(buffer, sharesAt, TOGETHER);
        values = new Row(buffer, rowsAt);
      }
      sums = new Float64Array(buffer, sumsAt, nSums * n).fill(0);
      return { sums, rows: values, rowLength: stride / bytes };
    },
    add(which, rows, shares, from, to) {
      const at = sumsAt + 8 * which * n;
      const even = at + 16 * (n >> 1);
      for (let i = from; i < to;) {
        const together = to - i >= TOGETHER ? TOGETHER : 1;
        for (let r = 0; r < together; r++) given[r] = shares[i + r];
        if (even > at) {
          const first = rowsAt + rows[i] * stride;
          if (together === 1) addOne(at, even, sharesAt, first);
          else {
            addFour(
              at,
              even,
              sharesAt,
              first,
              rowsAt + rows[i + 1] * stride,
              rowsAt + rows[i + 2] * stride,
              rowsAt + rows[i + 3] * stride,
            );
          }
        }
        if (n % 2 === 1) {
          const last = which * n + n - 1;
          for (let r = 0; r < together; r++) {
            sums[last] += shares[i + r] * values[(rows[i + r] * stride) / bytes + n - 1];
          }
        }
        i += together;
      }
    },
  };
}
