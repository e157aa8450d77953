import { describe, expect, it } from "vitest";
import type { Positions } from "../sample.ts";
import { matchSpots } from "./match-spots.ts";

const LETTERS = "ACGT";
/** The n-th of 4^4 barcodes as Space Ranger writes them. */
function barcode(n: number): string {
  const end = Array.from({ length: 4 }, (_, k) => LETTERS[Math.floor(n / 4 ** k) % 4]).join("");
  return `TTGACCATGACA${end}-1`;
}
const BARCODES = Array.from({ length: 40 }, (_, n) => barcode(n));

function positions(barcodes: string[], inTissue = barcodes.map(() => 1)): Positions {
  const zeros = barcodes.map(() => 0);
  return {
    barcode: barcodes,
    inTissue: Uint8Array.from(inTissue),
    arrayRow: Int32Array.from(zeros),
    arrayCol: Int32Array.from(barcodes.keys()),
    x: Float64Array.from(zeros),
    y: Float64Array.from(zeros),
  };
}

function match(
  barcodes: string[],
  placed: Positions = positions(BARCODES),
  isRaw = false,
): { kept: number; rows: (number | undefined)[]; warnings: string[] } {
  const warnings: string[] = [];
  const noun = barcodes[0]!.startsWith("s_") ? "bin" : "spot";
  const names = { noun, positions: "positions.csv", matrix: "matrix.h5", isRaw } as const;
  const { keep, positionOf } = matchSpots(barcodes, placed, names, (text) => warnings.push(text));
  const kept = keep.reduce((sum, flag) => sum + flag, 0);
  return { kept, rows: barcodes.map((name) => positionOf.get(name)), warnings };
}

describe("barcodes that were changed in one plain way", () => {
  it.each<[string, (barcode: string) => string]>([
    ["dots for dashes", (name) => name.replace("-", ".")],
    ["an underscore", (name) => name.replace("-", "_")],
    ["no suffix", (name) => name.slice(0, -2)],
    ["another number", (name) => name.replace("-1", "-2")],
    ["a further suffix", (name) => `${name}_1`],
    ["a sample's name before", (name) => `sampleA_${name}`],
    ["a sample's name after", (name) => `${name}-sampleA`],
    ["lowercase", (name) => name.toLowerCase()],
  ])("match with a warning: %s", (_name, change) => {
    const changed = BARCODES.map(change).reverse();
    const rows = BARCODES.map((_, i) => BARCODES.length - 1 - i);
    expect(match(changed)).toMatchObject({ kept: 40, rows });
    const { warnings } = match(changed);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/differ in .*which was ignored: every barcode matches without it/);
    // The same if the positions were changed and the matrix was not.
    expect(match(BARCODES, positions(changed))).toMatchObject({ kept: 40, rows });
  });

  it("match if they are those of bins", () => {
    const bins = ["s_008um_00301_00321-1", "s_008um_00301_00322-1"];
    const dotted = bins.map((name) => name.replace("-", "."));
    expect(match(dotted, positions(bins))).toMatchObject({ kept: 2, rows: [0, 1] });
    expect(() => match(bins, positions(bins, [0, 0]))).toThrow(/marks no bins as in tissue/);
  });

  it("do not match across names of different samples", () => {
    const [a, b] = ["liver_", "brain_"].map((name) => BARCODES.map((each) => name + each));
    expect(() => match(a, positions(b))).toThrow(/No barcode .* different samples/);
  });

  it("are refused if only some of them match", () => {
    const others = BARCODES.map((_, n) => barcode(n + 20).replace("-1", ""));
    expect(() => match(others)).toThrow(
      /^20 of 40 barcodes in matrix\.h5 \(such as TTGA\w+\) have no position among the 40 in positions\.csv: one of the files is cut off/,
    );
  });
});

describe("barcodes of several samples", () => {
  it.each<[string, (barcode: string, i: number) => string, RegExp]>([
    [
      "an aggregated run",
      (name, i) => name.replace("-1", `-${1 + (i % 3)}`),
      /^matrix\.h5 holds 3 capture areas \(barcodes end in -1, -2, -3\), as after spaceranger aggr/,
    ],
    ["names before", (name, i) => `${"ab"[i % 2]}_${name}`, /barcodes of 2 samples \(a_TTGA/],
    ["numbers after", (name, i) => `${name}_${i % 2}`, /barcodes of 2 samples .*-1_0, .*-1_1\)/],
  ])("are refused: %s", (_name, change, message) => {
    expect(() => match(BARCODES.map(change))).toThrow(message);
    expect(() => match(BARCODES.map(change))).toThrow(/analyze each .*from its own outs folder/);
  });

  it("are refused if listed twice", () => {
    expect(() => match([...BARCODES, barcode(0)])).toThrow(/lists the barcode TTGA\w+-1 twice/);
  });

  it("are refused if each file has many spots in tissue that the other has not", () => {
    const tissue = (isIn: (n: number) => boolean): number[] =>
      BARCODES.map((_, n) => Number(isIn(n)));
    const upper = positions(
      BARCODES,
      tissue((n) => n >= 10),
    );
    expect(() => match(BARCODES.slice(0, 30), upper)).toThrow(
      "positions.csv marks 10 of the 30 spots in matrix.h5 as off tissue, and matrix.h5 lacks 10 of its 30 spots in tissue: the files are from different samples; take both from one Space Ranger folder.",
    );
    // Tissue chosen by hand.
    expect(match(BARCODES, upper)).toMatchObject({ kept: 30 });
    expect(match(BARCODES, upper).warnings[0]).toMatch(/marks 10 of the 40 spots .* as off tissue/);
    // Spots left out by their quality, or half of the matrix.
    expect(match(BARCODES.slice(20), upper)).toMatchObject({
      kept: 20,
      warnings: [
        "matrix.h5 has no counts for 10 of the 30 spots that positions.csv marks as in tissue: unless they were left out on purpose, take both files from one Space Ranger folder.",
      ],
    });
    expect(match(BARCODES.slice(1))).toMatchObject({ kept: 39, warnings: [] });
    expect(match(BARCODES, upper, true)).toMatchObject({ kept: 30, warnings: [] });
  });
});

describe("barcodes without a position", () => {
  it("are fine in the matrix of all spots next to positions of the tissue", () => {
    const { kept, warnings } = match(BARCODES, positions(BARCODES.slice(5)), true);
    expect(kept).toBe(35);
    expect(warnings[0]).toMatch(/lists only spots in tissue, so the other 5 of 40 barcodes/);
  });

  it("are fine if the positions say that they are off tissue", () => {
    const placed = { ...positions(BARCODES.slice(5)), unplaced: new Set(BARCODES.slice(0, 5)) };
    expect(match(BARCODES, placed)).toMatchObject({ kept: 35 });
  });

  it("are refused otherwise, with their number", () => {
    expect(() => match(BARCODES, positions(BARCODES.slice(5)))).toThrow(
      /^5 of 40 barcodes in matrix\.h5 .* among the 35 in positions\.csv/,
    );
    const some = positions(BARCODES.slice(5), [0, ...BARCODES.slice(6).map(() => 1)]);
    expect(() => match(BARCODES, some, true)).toThrow(/^5 of 40 barcodes/);
    expect(() => match(["1", "2"])).toThrow(/the names in matrix\.h5 are not barcodes/);
  });
});
