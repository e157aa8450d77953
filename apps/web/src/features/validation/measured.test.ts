import { expect, it } from "vitest";
import { onAxis } from "./dot-chart.tsx";
import {
  ACCURACY,
  figure,
  measure,
  method,
  nuclei,
  range,
  REAL,
  tissue,
  typesOfRealCells,
} from "./measured.ts";

/** Macro-F1 of the types of one tissue of real cells. */
function blood(id: string): number {
  return ACCURACY.realCells.tissues.find((one) => one.id === id)!.types;
}

it("every figure on the page is in the files", () => {
  for (const id of ["human-1", "human-0", "hd8-1"]) {
    expect(method(tissue(id), "rate").variable.mean).toBeGreaterThan(0);
    expect(measure(tissue(id), "typingF1").mean).toBeGreaterThan(0);
  }
  for (const set of ["he-breast", "he-cellbindb", "purple-gray", "fluorescence"]) {
    expect(nuclei(set).f1).toBeGreaterThan(0.7);
  }
  expect(REAL.captures.hd8.names.accuracy).toBeGreaterThan(REAL.captures.visium.names.accuracy);
  expect(typesOfRealCells("human blood")).toBeCloseTo((blood("pbmc 1") + blood("pbmc 4")) / 2, 10);
  expect(() => typesOfRealCells("none")).toThrow("No figure none");
  expect(() => tissue("none")).toThrow("No figure none");
  for (const one of ACCURACY.tissues) {
    expect(one.expression.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["rate", "interpolation", "typesFitted"]),
    );
    expect(measure(one, "meansShuffled").mean).toBeGreaterThan(0.9);
  }
});

it("figures have three decimals, counts none, and a range only if informative", () => {
  expect(figure(0.56143)).toBe("0.561");
  expect(figure(-0.0014)).toBe("−0.001");
  expect(figure(5302.3)).toBe("5302");
  expect(range({ mean: 0.5, low: 0.41, high: 0.6 })).toBe("0.410–0.600");
  expect(range({ mean: 0.5, low: 0.5, high: 0.5 })).toBe("");
});

it("an axis aligns its end labels with its sides", () => {
  expect(onAxis(-1, [-1, 1], [10, 110])).toBe(10);
  expect(onAxis(0, [-1, 1], [10, 110])).toBe(60);
  expect(onAxis(1, [-1, 1], [10, 110])).toBe(110);
});
