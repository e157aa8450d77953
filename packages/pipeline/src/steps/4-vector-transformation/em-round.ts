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

/** Pairs of entries whose sums are made side by side, so that they do not wait for each other. */
const PAIRS = 4;
const GROUP = 2 * PAIRS;

/** A gene's entries, and its rates in the prototypes, in the memory of the kernel. */
export interface EmRoom {
  /** k rates; what the counts say of them is put into `gain`. */
  b: Float64Array;
  gain: Float64Array;
  counts: Float64Array;
  /** What the spot of each entry captures of the prototypes: rows of `stride`, the first k of them filled. */
  seen: Float32Array;
  stride: number;
}

/** Rounds of expectation–maximization of one gene. */
export interface EmKernel {
  /** Room for a gene; that of the gene before is lost. Whoever takes it fills counts and seen. */
  reserve(nEntries: number): EmRoom;
  /** gain ← Σ over entries of y · seen / (seen · b), entries without expected counts left out. */
  gather(): void;
}

/**
 * Opens the round for k prototypes, in WebAssembly: two doubles at a time, products and sums in the order of the formula
 * written out, so with its bits, in a quarter of its time.
 */
export function openEmKernel(k: number): EmKernel {
  const { reserve, call } = openSimd([gatherGains()]);
  // Prototypes go in pairs; the one that an odd number lacks captures nothing.
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
      // Entries that fill the last group count nothing.
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
        // Where the last row ends, the next group begins.
        ...seen.set(rows[GROUP - 1].get),
        ...step(counts, 16 * PAIRS),
      ]);
    },
  );
}
