import { openKernels } from "../../model/kernels.ts";

/** Spots added at a time, for a quarter of the loads and stores. */
const TOGETHER = 4;

/** Sums over spots of products of their exposures to pairs of prototypes. */
export interface GramSums {
  /** gram ← gram + share · rowᵀ for one more spot; its k numbers start at `from`. */
  add(share: Float32Array, row: Float32Array, from: number): void;
  /** k × k, over all spots added since the last call. */
  take(): Float64Array;
}

/** Opens Σ share · rowᵀ with k prototypes: compiled loops in memory of their own (`assembly/rows.ts`). */
export function openGramSums(k: number): GramSums {
  const { reserve, call } = openKernels();
  // Columns are processed in pairs; with an odd number, the padding column has no exposure.
  const stride = k + (k % 2);
  const sharesAt = 8 * k * stride;
  const rowsAt = sharesAt + 8 * TOGETHER * k;
  const rowBytes = 4 * stride;
  const buffer = reserve(rowsAt + TOGETHER * rowBytes);
  const gram = new Float64Array(buffer, 0, k * stride);
  /** Of a prototype, for each spot. */
  const shares = new Float64Array(buffer, sharesAt, TOGETHER * k);
  const rows = new Float32Array(buffer, rowsAt, TOGETHER * stride);
  let n = 0;
  function addAll(): void {
    const [a, b, c, d] = [rowsAt, rowsAt + rowBytes, rowsAt + 2 * rowBytes, rowsAt + 3 * rowBytes];
    for (let j = 0, at = 0, of = sharesAt; j < k; j++, at += 8 * stride, of += 8 * TOGETHER) {
      call.addFourFloats(at, at + 8 * stride, of, a, b, c, d);
    }
    n = 0;
  }
  return {
    add(share, row, from) {
      for (let j = 0, to = n * stride; j < k; j++) {
        shares[j * TOGETHER + n] = share[from + j];
        rows[to + j] = row[from + j];
      }
      if (++n === TOGETHER) addAll();
    },
    take() {
      if (n > 0) {
        // Padding spots have no exposure.
        for (let j = 0; j < k; j++) shares.fill(0, j * TOGETHER + n, (j + 1) * TOGETHER);
        rows.fill(0, n * stride);
        addAll();
      }
      const taken = new Float64Array(k * k);
      for (let j = 0; j < k; j++) taken.set(gram.subarray(j * stride, j * stride + k), j * k);
      gram.fill(0);
      return taken;
    },
  };
}
