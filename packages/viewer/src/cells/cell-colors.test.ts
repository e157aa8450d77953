import { describe, expect, it } from "vitest";
import type { Cells } from "../source/cells.ts";
import { cellSet } from "./cell-set.ts";
import { cellColors, MISSING, mixedPart, parseColor, TWO_GENES } from "./cell-colors.ts";
import { valueRange } from "./value-range.ts";

const NONE = { type: [], cluster: [], domain: [], own: [], evidence: [], imageQuality: [] };

function fourCells(): Cells {
  return {
    xy: new Float32Array(8),
    umap: new Float32Array(8),
    type: Uint16Array.from([0, 1, 1, 0]),
    cluster: Uint16Array.from([0, 0, 1, 65_535]),
    domain: undefined,
    evidence: Uint8Array.from([0, 1, 0, 1]),
    imageQuality: undefined,
    observed: Uint8Array.from([1, 1, 0, 1]),
  };
}

describe("cellColors", () => {
  const palette = [parseColor("#ff0000"), parseColor("#0000FF")];

  it("colors by group and excludes hidden groups from colors and count", () => {
    const { rgba, drawn } = cellColors(
      fourCells(),
      { by: "group", of: "type", palette },
      { ...NONE, type: [0] },
    );
    expect(drawn).toBe(2);
    expect([...rgba]).toEqual([0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0]);
  });

  it("grays cells without a group and dims unselected ones", () => {
    const cells = fourCells();
    const selection = cellSet(4, (cell) => cell === 1);
    const { rgba, drawn } = cellColors(
      cells,
      { by: "group", of: "cluster", palette },
      NONE,
      selection,
    );
    expect(drawn).toBe(4);
    expect([...rgba.slice(12, 15)]).toEqual([...MISSING]);
    expect(rgba[7]).toBe(255);
    expect(rgba[3]).toBeLessThan(150);
  });

  it("dims cells beyond the reach of every spot unless coloring by evidence, and hides them on demand", () => {
    const cells = { ...fourCells(), evidence: Uint8Array.from([0, 1, 2, 2]) };
    const alphas = (of: "type" | "evidence", evidence: number[] = []) =>
      [3, 7, 11, 15].map(
        (at) => cellColors(cells, { by: "group", of, palette }, { ...NONE, evidence }).rgba[at],
      );
    expect(alphas("type")).toEqual([255, 255, 110, 110]);
    expect(alphas("evidence")).toEqual([255, 255, 255, 255]);
    expect(alphas("type", [2])).toEqual([255, 255, 0, 0]);
  });

  it("colors by the user's groups, the last on top", () => {
    const sets = [
      { cells: cellSet(4, (cell) => cell < 2), color: palette[0]! },
      { cells: cellSet(4, (cell) => cell === 1), color: palette[1]! },
    ];
    const { rgba } = cellColors(fourCells(), { by: "sets", sets }, NONE);
    const colors = [0, 4, 8].map((at) => [...rgba.slice(at, at + 3)]);
    expect(colors).toEqual([[255, 0, 0], [0, 0, 255], [...MISSING]]);
  });

  it("colors by expression and grays unmeasured cells", () => {
    const values = Float32Array.from([0, 5, 3, 99]);
    const range = { low: 0, high: 5, expressing: 3 };
    const { rgba } = cellColors(
      fourCells(),
      { by: "value", values, range, observedOnly: true },
      NONE,
    );
    expect([...rgba.slice(0, 3)]).toEqual([68, 1, 84]);
    expect([...rgba.slice(4, 7)]).toEqual([253, 231, 37]);
    expect([...rgba.slice(8, 11)]).toEqual([...MISSING]);
    expect([...rgba.slice(12, 15)]).toEqual([253, 231, 37]);
  });

  it("mixes two genes", () => {
    const mixed = (a: number, b: number) => [0, 1, 2].map((part) => mixedPart(a, b, part));
    expect(mixed(0, 0)).toEqual([...TWO_GENES.none]);
    expect(mixed(1, 0)).toEqual([...TWO_GENES.first]);
    expect(mixed(0, 1)).toEqual([...TWO_GENES.second]);
    expect(Math.max(...mixed(1, 1))).toBeLessThan(80);
  });
});

describe("valueRange", () => {
  it("runs from 0 to a quantile of the cells that express the gene", () => {
    const values = Float32Array.from({ length: 1100 }, (_, i) => (i < 100 ? 0 : i - 99));
    expect(valueRange(values, [0, 0.99], true)).toEqual({ low: 0, high: 990, expressing: 1000 });
    expect(valueRange(values, [0.5, 1], true)).toMatchObject({ low: 500, high: 1000 });
    expect(valueRange(new Float32Array(3), [0, 0.99], true)).toEqual({
      low: 0,
      high: 1,
      expressing: 0,
    });
  });

  it("uses all finite values of a measure, including negative ones", () => {
    const values = Float32Array.of(-4, NaN, 2, 6, -2);
    expect(valueRange(values, [0, 1], false)).toMatchObject({ low: -4, high: 6 });
  });

  it("approximates the exact quantiles when there are many values", () => {
    const values = Float32Array.from({ length: 500_000 }, (_, i) => ((i * 7919) % 500_000) + 1);
    const { high } = valueRange(values, [0, 0.9], true);
    expect(Math.abs(high - 450_000)).toBeLessThan(2_500);
  });
});
