import { expect, it } from "vitest";
import { log1pOf } from "@stipple/numerics/log1p";
import { Random } from "@stipple/numerics/random";
import {
  normalize,
  entryBuffers,
  sumOf,
  takeFrom,
  takeRow,
  type CellEntries,
} from "./take-entries.ts";

const LENGTHS = [0, 1, 2, 3, 4, 5, 63, 64, 1001];

/** Values across the range of rates, and 0. */
function ratesOf(length: number): Float32Array {
  const random = new Random(length);
  return Float32Array.from({ length }, () =>
    random.uniform() < 0.1 ? 0 : 2 ** (random.below(40) - 25) * random.uniform(),
  );
}

function entriesOf({ n, indices, rates }: CellEntries): [number, number][] {
  return Array.from({ length: n }, (_, i) => [indices[i], rates[i]]);
}

it.each(LENGTHS)("takes what is high enough from a row of %i", (length) => {
  const row = ratesOf(length);
  const [all, fewer] = [entryBuffers(length), entryBuffers(length)];
  for (const least of [2 ** -149, 0.01, 3, 1e9, ...row.slice(0, 3)]) {
    takeRow(row, least, all);
    const wanted = Array.from(row, (rate, gene): [number, number] => [gene, rate]);
    const kept = wanted.filter(([, rate]) => rate >= least);
    expect(entriesOf(all)).toEqual(kept);

    normalize(all, 7.3);
    const x = kept.map(([, rate]) => Math.fround(log1pOf(rate * 7.3)));
    expect(Array.from(all.normalized.subarray(0, all.n))).toEqual(x);

    for (const withX of [false, true]) {
      fewer.normalized.fill(0);
      takeFrom(all, 2 * least, fewer, withX);
      expect(entriesOf(fewer)).toEqual(kept.filter(([, rate]) => rate >= 2 * least));
      expect(Array.from(fewer.normalized.subarray(0, fewer.n))).toEqual(
        withX ? x.filter((_, i) => kept[i][1] >= 2 * least) : new Array(fewer.n).fill(0),
      );
    }
  }
});

it.each(LENGTHS)("adds up %i values as four sums side by side", (length) => {
  const values = ratesOf(length);
  const sums = [0, 0, 0, 0];
  const whole = length - (length % 4);
  values.forEach((value, i) => (sums[i < whole ? i % 4 : 0] += value));
  const [a, b, c, d] = sums as [number, number, number, number];
  expect(sumOf(values)).toBe(a + b + (c + d));
  expect(sumOf(Float32Array.of(...values, 9), length)).toBe(a + b + (c + d));
});
