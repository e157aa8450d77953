import type { SparseMatrix } from "@stipple/numerics/matrices";
import { describe, expect, it } from "vitest";
import { fitProfiles } from "./baselines.ts";
import { calibrationError } from "./calibration.ts";
import { median } from "@stipple/numerics/quantile";
import { pearson, pearsonPerGene, spearman } from "./correlation.ts";
import { detection, intersectionOverUnion, matchByCenter, matchByOverlap } from "./detection.ts";
import { adjustedRandIndex, macroF1 } from "./labels.ts";
import { alignTypeNames } from "./type-names.ts";

function squares(...corners: [x: number, y: number, side: number][]) {
  return {
    offsets: Uint32Array.from({ length: corners.length + 1 }, (_, i) => 4 * i),
    xy: Float32Array.from(
      corners.flatMap(([x, y, side]) => [x, y, x + side, y, x + side, y + side, x, y + side]),
    ),
  };
}

function sparse(rows: number[][]): SparseMatrix {
  const indptr = [0];
  const indices: number[] = [];
  const data: number[] = [];
  for (const row of rows) {
    row.forEach((value, column) => {
      if (value === 0) return;
      indices.push(column);
      data.push(value);
    });
    indptr.push(indices.length);
  }
  return {
    nRows: rows.length,
    nCols: rows[0].length,
    indptr: Uint32Array.from(indptr),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

describe("detection", () => {
  it("measures the overlap of polygons", () => {
    const ten = squares([0, 0, 10]);
    expect(intersectionOverUnion(ten, 0, ten, 0)).toBeCloseTo(1, 10);
    // Half of a square shared: 50 / 150.
    expect(intersectionOverUnion(ten, 0, squares([5, 0, 10]), 0)).toBeCloseTo(1 / 3, 6);
    expect(intersectionOverUnion(ten, 0, squares([20, 0, 10]), 0)).toBe(0);
  });

  it("pairs one to one, best first", () => {
    const truth = squares([0, 0, 10], [30, 0, 10], [60, 0, 10]);
    const found = squares([1, 0, 10], [0, 0, 10], [34, 0, 10]);
    expect([...matchByOverlap(truth, found, 0.5)]).toEqual([1, -1, -1]);
    expect([...matchByOverlap(truth, found, 0.4)]).toEqual([1, 2, -1]);
    expect([...matchByCenter([0, 0, 10, 0, 50, 0], [1, 0, 9, 0, 12, 0], 3)]).toEqual([0, 1, -1]);
  });

  it("scores hits relative to both truth and prediction", () => {
    const { precision, recall, f1 } = detection(6, 8, 12);
    expect([precision, recall, f1]).toEqual([0.75, 0.5, 0.6]);
  });
});

describe("correlation", () => {
  const truth = sparse([
    [1, 5, 0],
    [2, 0, 0],
    [3, 4, 0],
    [4, 1, 0],
  ]);

  it("is 1 for a linear prediction, −1 for the opposite, and 0 when nothing varies", () => {
    const values = pearsonPerGene(truth, (cell, row) => {
      row[0] = 10 + 2 * cell;
      row[1] = -[5, 0, 4, 1][cell];
      row[2] = cell;
    });
    expect(values[0]).toBeCloseTo(1, 12);
    expect(values[1]).toBeCloseTo(-1, 12);
    expect(values[2]).toBe(0);
  });

  it("agrees with the textbook formula", () => {
    expect(pearson([1, 2, 3, 4], [2, 1, 4, 3])).toBeCloseTo(0.6, 12);
    expect(spearman([1, 2, 3, 4], [1, 8, 27, 64])).toBeCloseTo(1, 12);
    expect(median([3, 1, 2, 10])).toBe(2.5);
  });
});

describe("labels", () => {
  it("scores partitions regardless of label names", () => {
    expect(adjustedRandIndex([0, 0, 1, 1], ["b", "b", "a", "a"])).toBe(1);
    // Hubert & Arabie by hand: index 2, expected 6·7/45, maximum 6.5.
    const a = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2].slice(0, 6);
    const b = [0, 0, 1, 1, 2, 2];
    const expected = (6 * 3) / 15;
    expect(adjustedRandIndex(a, b)).toBeCloseTo((2 - expected) / (4.5 - expected), 12);
  });

  it("counts a missed cell against its type", () => {
    const { macroF1: score, perLabel } = macroF1(["A", "A", "B", "B"], ["A", null, "B", "A"]);
    expect(perLabel["A"].f1).toBeCloseTo(0.5, 12);
    expect(perLabel["B"].f1).toBeCloseTo(2 / 3, 12);
    expect(score).toBeCloseTo((0.5 + 2 / 3) / 2, 12);
  });

  it("accepts other names for the same type, and merges types only under a coarse name", () => {
    const types = ["Tumor epithelial", "Luminal epithelial", "T cell"];
    const fine = alignTypeNames(types, [
      "Tumor cells",
      "Luminal",
      "T cells",
      "CD8 T cell",
      "Epithelial",
      "Unknown",
    ]);
    expect(Object.fromEntries(fine.predicted)).toEqual({
      "Tumor cells": "Tumor epithelial",
      Luminal: "Luminal epithelial",
      "T cells": "T cell",
      "CD8 T cell": "T cell",
      Epithelial: null,
      Unknown: null,
    });
    const coarse = alignTypeNames(types, ["Epithelial", "T cell"]);
    expect(coarse.classOf.get("Tumor epithelial")).toBe("Epithelial");
    expect(coarse.classOf.get("Luminal epithelial")).toBe("Epithelial");
    expect(coarse.classOf.get("T cell")).toBe("T cell");
  });
});

describe("fitted profiles", () => {
  it("recovers the profiles from which noise-free spots were made", () => {
    const profiles = [
      [4, 0, 10],
      [1, 8, 2],
    ];
    const exposure = Float64Array.from([3, 1, 1, 2, 0, 4, 5, 0.5]);
    const spots = [0, 1, 2, 3].map((spot) =>
      [0, 1, 2].map(
        (gene) =>
          exposure[2 * spot] * profiles[0][gene] + exposure[2 * spot + 1] * profiles[1][gene],
      ),
    );
    const fitted = fitProfiles(exposure, 2, sparse(spots));
    profiles.flat().forEach((value, i) => expect(fitted.data[i]).toBeCloseTo(value, 1));
  });
});

describe("calibration", () => {
  it("is 0 when the probability equals the fraction that is right, and the difference otherwise", () => {
    const stated = Array.from({ length: 100 }, () => 0.75);
    const right = stated.map((_, i) => i < 75);
    expect(calibrationError(stated, right)).toBeCloseTo(0, 12);
    expect(
      calibrationError(
        stated,
        stated.map((_, i) => i < 25),
      ),
    ).toBeCloseTo(0.5, 12);
    expect(calibrationError([], [])).toBe(0);
  });
});
