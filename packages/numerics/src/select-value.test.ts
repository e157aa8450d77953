import { expect, it } from "vitest";
import { Random } from "./random.ts";
import { selectValue } from "./select-value.ts";

it("selects the same value from many floats as sorting does", () => {
  const random = new Random(3);
  const values = Float32Array.from({ length: 5000 }, (_, i) =>
    i % 50 === 0 ? 0 : 2 ** (random.below(50) - 30) * random.uniform(),
  );
  const sorted = values.toSorted();
  for (const place of [0, 99, 100, 2500, 4999]) {
    expect(selectValue(values, place)).toBe(sorted[place]);
  }
});

it("finds the value at every rank, including with ties and sorted input", () => {
  const random = new Random(3);
  const lists = [
    Array.from({ length: 501 }, () => random.uniform() - 0.5),
    Array.from({ length: 400 }, () => Math.floor(4 * random.uniform())),
    Array.from({ length: 100 }, (_, i) => i),
    Array.from({ length: 100 }, (_, i) => -i),
    [7],
    [2, 2, 2, 2],
  ];
  for (const list of lists) {
    const sorted = Float64Array.from(list).sort();
    for (let place = 0; place < list.length; place++) {
      expect(selectValue(Float64Array.from(list), place)).toBe(sorted[place]);
    }
  }
});
