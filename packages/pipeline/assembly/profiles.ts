import { floats, plus, twice } from "./rows";

/** Entry by entry in each lane: the sums of two entries over prototypes j and j + 1, added up in this order. */
function plusPair(sum: v128, x: v128, y: v128, first: v128, second: v128): v128 {
  sum = plus(sum, v128.shuffle<f64>(x, y, 0, 2), first);
  return plus(sum, v128.shuffle<f64>(x, y, 1, 3), second);
}

/** Counts over expected counts; 0 where nothing is expected. */
function ratios(counts: v128, expected: v128): v128 {
  return v128.and(f64x2.div(counts, expected), f64x2.gt(expected, f64x2.splat(0)));
}

/**
 * One round of expectation–maximization: gain ← gain + Σ over entries of count · seen / (seen · b). Rates `b` and `gain`
 * are doubles, `seen` has a row of `k` floats for each count (doubles, up to `countsEnd`). Four entries at a time, so
 * that sums do not wait for each other; `k` is even.
 */
export function gatherGains(
  b: usize,
  gain: usize,
  counts: usize,
  seen: usize,
  countsEnd: usize,
  k: usize,
): void {
  const rowBytes = k << 2;
  for (; counts < countsEnd; counts += 32, seen += rowBytes << 2) {
    const one = seen + rowBytes;
    const two = one + rowBytes;
    const three = two + rowBytes;
    let lower = f64x2.splat(0);
    let upper = f64x2.splat(0);
    for (let j: usize = 0; j < rowBytes; j += 8) {
      const first = twice(b + (j << 1));
      const second = twice(b + (j << 1) + 8);
      lower = plusPair(lower, floats(seen + j), floats(one + j), first, second);
      upper = plusPair(upper, floats(two + j), floats(three + j), first, second);
    }
    lower = ratios(v128.load(counts), lower);
    upper = ratios(v128.load(counts + 16), upper);
    const of0 = f64x2.splat(f64x2.extract_lane(lower, 0));
    const of1 = f64x2.splat(f64x2.extract_lane(lower, 1));
    const of2 = f64x2.splat(f64x2.extract_lane(upper, 0));
    const of3 = f64x2.splat(f64x2.extract_lane(upper, 1));
    for (let j: usize = 0; j < rowBytes; j += 8) {
      const at = gain + (j << 1);
      let sum = plus(v128.load(at), of0, floats(seen + j));
      sum = plus(sum, of1, floats(one + j));
      sum = plus(sum, of2, floats(two + j));
      v128.store(at, plus(sum, of3, floats(three + j)));
    }
  }
}

/** Bytes per entry of a spot: address of its gene's row, padded to twice its size, and its count as a double. */
const ENTRY: usize = 16;

/**
 * Adds Σ over spots of count · share to the rows of genes. `ends` has the end address of each spot's entries, `spots` a
 * row of `k` floats for each spot.
 */
export function addCounts(
  ends: usize,
  endsEnd: usize,
  entries: usize,
  spots: usize,
  k: usize,
): void {
  for (; ends < endsEnd; ends += 4, spots += k << 2) {
    const end: usize = load<u32>(ends);
    for (; entries < end; entries += ENTRY) {
      const row: usize = load<u32>(entries);
      const count = twice(entries + 8);
      for (let j: usize = 0; j < k; j += 2) {
        const at = row + (j << 3);
        v128.store(at, plus(v128.load(at), count, floats(spots + (j << 2))));
      }
    }
  }
}

/**
 * Writes Σ over a spot's entries of count · rates / (spot · rates) to its row of slopes; rows of genes hold their rates.
 * Four entries at a time: a spot's entries are a multiple of four.
 */
export function addRatios(
  ends: usize,
  endsEnd: usize,
  entries: usize,
  spots: usize,
  slopes: usize,
  k: usize,
): void {
  for (; ends < endsEnd; ends += 4, spots += k << 2, slopes += k << 3) {
    memory.fill(slopes, 0, k << 3);
    const end: usize = load<u32>(ends);
    for (; entries < end; entries += ENTRY << 2) {
      const row0: usize = load<u32>(entries);
      const row1: usize = load<u32>(entries + ENTRY);
      const row2: usize = load<u32>(entries + 2 * ENTRY);
      const row3: usize = load<u32>(entries + 3 * ENTRY);
      let lower = f64x2.splat(0);
      let upper = f64x2.splat(0);
      for (let j: usize = 0; j < k; j += 2) {
        const seen = floats(spots + (j << 2));
        const first = v128.shuffle<f64>(seen, seen, 0, 2);
        const second = v128.shuffle<f64>(seen, seen, 1, 3);
        const at = j << 3;
        lower = plusPair(lower, v128.load(row0 + at), v128.load(row1 + at), first, second);
        upper = plusPair(upper, v128.load(row2 + at), v128.load(row3 + at), first, second);
      }
      const of0 = ratios(twice(entries + 8), v128.shuffle<f64>(lower, lower, 0, 2));
      const of1 = ratios(twice(entries + ENTRY + 8), v128.shuffle<f64>(lower, lower, 1, 3));
      const of2 = ratios(twice(entries + 2 * ENTRY + 8), v128.shuffle<f64>(upper, upper, 0, 2));
      const of3 = ratios(twice(entries + 3 * ENTRY + 8), v128.shuffle<f64>(upper, upper, 1, 3));
      for (let j: usize = 0; j < k << 3; j += 16) {
        let sum = plus(v128.load(slopes + j), of0, v128.load(row0 + j));
        sum = plus(sum, of1, v128.load(row1 + j));
        sum = plus(sum, of2, v128.load(row2 + j));
        v128.store(slopes + j, plus(sum, of3, v128.load(row3 + j)));
      }
    }
  }
}
