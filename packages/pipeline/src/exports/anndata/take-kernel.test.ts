import { roundRates } from "@stipple/contract/packed-rates";
import { expect, it } from "vitest";
import { log1pOf } from "../../numerics/log1p.ts";
import { Random } from "../../numerics/random.ts";
import { openTakeKernel, type CellEntries } from "./take-kernel.ts";

const LENGTHS = [0, 1, 2, 3, 4, 5, 63, 64, 1001];

/** Values across the range of rates, and 0. */
function ratesOf(length: number): Float32Array {
  const random = new Random(length);
  return Float32Array.from({ length }, () =>
    random.uniform() < 0.1 ? 0 : 2 ** (random.below(40) - 25) * random.uniform(),
  );
}

function entriesOf({ n, indices, rates }: CellEntries): [number, number][] {
  return Array.from({ length: n }, (_, i) => [indices[i]!, rates[i]!]);
}

it.each(LENGTHS)("takes the same as the plain loop from a row of %i", (length) => {
  const kernel = openTakeKernel(length, 2, length);
  const rates = ratesOf(length);
  for (const row of [rates, kernel.dense.subarray(0, length)]) {
    row.set(rates);
    for (const least of [2 ** -149, 0.01, 3, 1e9, ...rates.slice(0, 3)]) {
      const [all, fewer] = kernel.taken as [CellEntries, CellEntries];
      kernel.takeRow(row, least, all);
      const wanted = Array.from(rates, (rate, gene): [number, number] => [gene, rate]);
      const kept = wanted.filter(([, rate]) => rate >= least);
      expect(entriesOf(all)).toEqual(kept);

      kernel.normalize(all, 7.3);
      const x = kept.map(([, rate]) => Math.fround(log1pOf(rate * 7.3)));
      expect(Array.from(all.normalized.subarray(0, all.n))).toEqual(x);

      for (const withX of [false, true]) {
        fewer.normalized.fill(0);
        kernel.takeFrom(all, 2 * least, fewer, withX);
        expect(entriesOf(fewer)).toEqual(kept.filter(([, rate]) => rate >= 2 * least));
        expect(Array.from(fewer.normalized.subarray(0, fewer.n))).toEqual(
          withX ? x.filter((_, i) => kept[i]![1] >= 2 * least) : new Array(fewer.n).fill(0),
        );
      }

      const rounded = Float32Array.from(kept, ([, rate]) => rate);
      roundRates(rounded);
      kernel.round(all.rates, all.n);
      expect(all.rates.slice(0, all.n)).toEqual(rounded);
    }
  }
});

it.each(LENGTHS)("adds up %i values identically to four sums side by side", (length) => {
  const kernel = openTakeKernel(length, 1, length);
  const values = ratesOf(length);
  const sums = [0, 0, 0, 0];
  const whole = length - (length % 4);
  values.forEach((value, i) => (sums[i < whole ? i % 4 : 0]! += value));
  const [a, b, c, d] = sums as [number, number, number, number];
  expect(kernel.sumOf(values)).toBe(a + b + (c + d));
});
