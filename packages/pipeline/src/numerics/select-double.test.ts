import { expect, it } from "vitest";
import { Random } from "./random.ts";
import { selectDouble } from "./select-double.ts";

it("finds the value of every place, among equal ones and in order too", () => {
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
      expect(selectDouble(Float64Array.from(list), place)).toBe(sorted[place]);
    }
  }
});
