import {
  add,
  bitsAnd,
  divide,
  firsts,
  int,
  isLess,
  isMore,
  load,
  loadFloats,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  seconds,
  shifted,
  simdFunction,
  store,
  ZERO,
  type Code,
  type SimdFunction,
} from "../../numerics/simd/assembler.ts";

/** Pairs of entries summed in parallel, so that the additions do not wait for each other. */
const PAIRS = 4;
const GROUP = 2 * PAIRS;

/** A gene's entries and its rates in the prototypes, in kernel memory. */
export interface EmRoom {
  /** k rates; `gain` receives their update from the counts. */
  b: Float64Array;
  gain: Float64Array;
  counts: Float64Array;
  /** Exposure of each entry's spot to the prototypes: rows of `stride`, of which the first k are filled. */
  seen: Float32Array;
  stride: number;
}

/** Expectation–maximization rounds for one gene. */
export interface EmKernel {
  /** Reserves memory for a gene and discards the previous gene's. The caller fills `counts` and `seen`. */
  reserve(nEntries: number): EmRoom;
  /** gain ← Σ over entries of y · seen / (seen · b), skipping entries without expected counts. */
  gather(): void;
}

/**
 * Opens a WebAssembly kernel for one round with k prototypes. It handles two doubles at a time, in the same order of
 * products and sums as the plain formula, so results are bit-identical but take a quarter of the time.
 */
export function openEmKernel(k: number): EmKernel {
  const { reserve, call } = openSimd([gatherGains()]);
  // Prototypes are processed in pairs; with an odd number, the padding prototype has no exposure.
  const stride = k + (k % 2);
  const gainAt = 8 * stride;
  const countsAt = 2 * gainAt;
  let n = 0;
  let seenAt = 0;
  let gain = new Float64Array(0);
  return {
    reserve(nEntries) {
      n = GROUP * Math.ceil(nEntries / GROUP);
      seenAt = countsAt + 8 * n;
      const buffer = reserve(seenAt + 4 * n * stride);
      const b = new Float64Array(buffer, 0, stride).fill(0);
      gain = new Float64Array(buffer, gainAt, stride);
      const counts = new Float64Array(buffer, countsAt, n);
      const seen = new Float32Array(buffer, seenAt, n * stride);
      // Padding entries in the last group have no counts.
      counts.fill(0, nEntries);
      seen.fill(0, nEntries * stride);
      if (stride > k) for (let at = k; at < seen.length; at += stride) seen[at] = 0;
      return { b, gain, counts, seen, stride };
    },
    gather() {
      gain.fill(0);
      if (n > 0) call["gather"](0, gainAt, countsAt, seenAt, countsAt + 8 * n, stride);
    },
  };
}

function gatherGains(): SimdFunction {
  return simdFunction(
    "gather",
    6,
    ([b, gain, counts, seen, countsEnd, k], { number, vector }): Code => {
      const pairs = Array.from({ length: PAIRS }, () => ({
        rows: [number(), number()] as const,
        values: [vector(), vector()] as const,
        ratios: [vector(), vector()] as const,
        sum: vector(),
      }));
      const [at, end, sums] = [number(), number(), vector()];
      const [first, second] = [vector(), vector()];
      const rows = pairs.flatMap((pair) => pair.rows);
      const step = (local: (typeof rows)[number], bytes: number): Code =>
        local.set(plus(local.get, int(bytes)));
      const startRows: Code = rows.flatMap((row, i) =>
        row.set(i === 0 ? seen.get : plus(rows[i - 1].get, shifted(k.get, 2))),
      );
      const sweep = (from: (typeof rows)[number], body: Code): Code => [
        ...startRows,
        ...at.set(from.get),
        ...end.set(plus(from.get, shifted(k.get, 3))),
        ...repeatWhile(isLess(at.get, end.get), [
          ...body,
          ...rows.flatMap((row) => step(row, 8)),
          ...step(at, 16),
        ]),
      ];
      const expectCounts = sweep(b, [
        ...first.set(loadTwice(at.get)),
        ...second.set(loadTwice(at.get, 8)),
        ...pairs.flatMap(({ rows: [one, other], values: [x, y], sum }) => [
          ...x.set(loadFloats(one.get)),
          ...y.set(loadFloats(other.get)),
          ...sum.set(add(sum.get, multiply(firsts(x.get, y.get), first.get))),
          ...sum.set(add(sum.get, multiply(seconds(x.get, y.get), second.get))),
        ]),
      ]);
      const takeRatios = pairs.flatMap(({ ratios: [one, other], sum }, i) => [
        ...sum.set(bitsAnd(divide(load(counts.get, 16 * i), sum.get), isMore(sum.get, ZERO))),
        ...one.set(firsts(sum.get, sum.get)),
        ...other.set(seconds(sum.get, sum.get)),
      ]);
      const addGains = sweep(gain, [
        ...sums.set(load(at.get)),
        ...pairs.flatMap(({ rows, ratios }) =>
          rows.flatMap((row, i) =>
            sums.set(add(sums.get, multiply(ratios[i].get, loadFloats(row.get)))),
          ),
        ),
        ...store(at.get, sums.get),
      ]);
      return repeatWhile(isLess(counts.get, countsEnd.get), [
        ...pairs.flatMap(({ sum }) => sum.set(ZERO)),
        ...expectCounts,
        ...takeRatios,
        ...addGains,
        // The next group starts where the last row ends.
        ...seen.set(rows[GROUP - 1].get),
        ...step(counts, 16 * PAIRS),
      ]);
    },
  );
}
