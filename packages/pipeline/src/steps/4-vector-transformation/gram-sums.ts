import {
  add,
  int,
  isLess,
  load,
  loadFloats,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  shifted,
  simdFunction,
  store,
  type Code,
  type SimdFunction,
} from "../../numerics/simd/assembler.ts";

/** Spots added at a time, for a quarter of the loads and stores. */
const GROUP = 4;
/** Spots held in kernel memory at a time, few enough to stay in the CPU cache. */
const CHUNK = 256;

/** Sums over spots of products of their exposures to pairs of prototypes. */
export interface GramSums {
  /** gram ← gram + share · rowᵀ for one more spot; its k numbers start at `from`. */
  add(share: Float32Array, row: Float32Array, from: number): void;
  /** k × k, over all spots added since the last call. */
  take(): Float64Array;
}

/**
 * Opens a WebAssembly kernel for Σ share · rowᵀ with k prototypes. It handles two doubles at a time and sums spot by
 * spot like the plain formula, so results are bit-identical.
 */
export function openGramSums(k: number): GramSums {
  const { reserve, call } = openSimd([addOuterProducts()]);
  // Columns are processed in pairs; with an odd number, the padding column has no exposure.
  const stride = k + (k % 2);
  const sharesAt = 8 * stride * stride;
  const rowsAt = sharesAt + 8 * CHUNK * stride;
  const buffer = reserve(rowsAt + 4 * CHUNK * stride);
  const gram = new Float64Array(buffer, 0, stride * stride);
  const shares = new Float64Array(buffer, sharesAt, CHUNK * stride);
  const rows = new Float32Array(buffer, rowsAt, CHUNK * stride);
  let n = 0;
  function addChunk(): void {
    if (n === 0) return;
    const filled = GROUP * Math.ceil(n / GROUP);
    // Padding spots in the last group have no exposure.
    shares.fill(0, n * stride, filled * stride);
    rows.fill(0, n * stride, filled * stride);
    call["addOuter"](0, sharesAt, sharesAt, rowsAt, rowsAt + 4 * filled * stride, stride);
    n = 0;
  }
  return {
    add(share, row, from) {
      for (let j = 0, at = from, to = n * stride; j < k; j++, at++, to++) {
        shares[to] = share[at];
        rows[to] = row[at];
      }
      if (++n === CHUNK) addChunk();
    },
    take() {
      addChunk();
      const taken = new Float64Array(k * k);
      for (let j = 0; j < k; j++) taken.set(gram.subarray(j * stride, j * stride + k), j * k);
      gram.fill(0);
      return taken;
    },
  };
}

function addOuterProducts(): SimdFunction {
  return simdFunction(
    "addOuter",
    6,
    ([gram, gramEnd, shares, rows, rowsEnd, k], { number, vector }): Code => {
      const spots = Array.from({ length: GROUP }, () => ({
        share: number(),
        row: number(),
        factor: vector(),
      }));
      const [at, end, sum] = [number(), number(), vector()];
      const step = (local: (typeof spots)[number]["row"], bytes: number): Code =>
        local.set(plus(local.get, int(bytes)));
      const addRows = repeatWhile(isLess(at.get, end.get), [
        ...sum.set(load(at.get)),
        ...spots.flatMap(({ row, factor }) => [
          ...sum.set(add(sum.get, multiply(factor.get, loadFloats(row.get)))),
          ...step(row, 8),
        ]),
        ...store(at.get, sum.get),
        ...step(at, 16),
      ]);
      return repeatWhile(isLess(rows.get, rowsEnd.get), [
        ...at.set(gram.get),
        ...spots.flatMap(({ share }, i) =>
          share.set(i === 0 ? shares.get : plus(spots[i - 1].share.get, shifted(k.get, 3))),
        ),
        ...repeatWhile(isLess(at.get, gramEnd.get), [
          ...spots.flatMap(({ share, row, factor }, i) => [
            ...factor.set(loadTwice(share.get)),
            ...step(share, 8),
            ...row.set(i === 0 ? rows.get : plus(spots[i - 1].row.get, shifted(k.get, 2))),
          ]),
          ...end.set(plus(at.get, shifted(k.get, 3))),
          ...addRows,
        ]),
        // The next group starts where the last row ends.
        ...rows.set(spots[GROUP - 1].row.get),
        ...shares.set(plus(shares.get, shifted(k.get, 5))),
      ]);
    },
  );
}
