import { describe, expect, it } from "vitest";
import { digamma, inverseTrigamma, tetragamma, trigamma } from "./gamma-derivatives.ts";
import { isIndependent, leastSquares, leverages } from "./least-squares.ts";
import { lowess } from "./lowess.ts";
import { studentQuantile, studentTwoSided } from "./student-tail.ts";

// All values without another source: R 4.2.2; inverse trigamma: limma 3.54.1.
describe("derivatives of log gamma", () => {
  it.each([
    [0.3, -3.5025242222001323, 12.24536454610773184, -75.272536588726026707],
    [1, -0.5772156649015323, 1.64493406684822641, -2.404113806319188473],
    [2.5, 0.7031566406452434, 0.49035775610023491, -0.236204051641727419],
    [20, 2.9705239922421489, 0.05127082293520313, -0.002628122402314655],
  ])("at %d", (x, first, second, third) => {
    expect(digamma(x) / first).toBeCloseTo(1, 12);
    expect(trigamma(x) / second).toBeCloseTo(1, 12);
    expect(tetragamma(x) / third).toBeCloseTo(1, 10);
  });

  it.each([
    [1e-7, 1e7],
    [0.01, 100.4991666819432],
    [0.5, 2.459952948352307],
    [3, 0.6754781052813701],
    [1e8, 1e-4],
  ])("inverse trigamma of %d", (x, y) => {
    expect(inverseTrigamma(x) / y).toBeCloseTo(1, 8);
  });
});

describe("studentQuantile", () => {
  it.each([
    [1, 12.706204736174694],
    [4, 2.776445105197793],
    [7.3, 2.345066736547702],
    [100, 1.983971518523552],
    [Infinity, 1.959963984540054],
  ])("of 5% with %d degrees of freedom", (df, t) => {
    expect(studentQuantile(0.05, df)).toBeCloseTo(t, 9);
    expect(studentTwoSided(t, df)).toBeCloseTo(0.05, 10);
  });
});

it("lowess gives what R's gives, with equal and near points and an outlier", () => {
  const x = [1, 1, 2, 3.5, 4, 4.005, 5, 6, 7.2, 8, 9, 9.5, 10, 11, 12];
  const y = [2, 2.5, 3, 1, 4, 5, 4.4, 30, 5, 6, 7, 6.5, 8, 7.7, 9];
  const fitted = [
    ...[2.2519491240502, 2.2519491240502, 2.99491228905144, 4.02424009557056, 4.25393315521892],
    ...[4.25612206797261, 4.54095805011602, 4.7631841276955, 5.29216771427774, 5.84402340747583],
    ...[6.68537451266201, 7.08331258739833, 7.40020373288033, 8.1209476183964, 8.82678640237322],
  ];
  lowess(x, y, 0.5).forEach((value, i) => expect(value).toBeCloseTo(fitted[i], 10));
});

describe("leastSquares", () => {
  it("fits a weighted line", () => {
    // Two groups: the mean of the first, and what the weighted mean of the second is above it.
    const { coefficients, unscaled, residual } = leastSquares(
      [
        [1, 1, 1],
        [0, 2, 2],
      ],
      [1, 3, 6],
      [1, 1, 2],
    );
    expect([...coefficients].map((value) => Number(value.toFixed(12)))).toEqual([1, 2]);
    expect(residual).toBeCloseTo(1 * 4 + 2 * 1, 12);
    expect(unscaled[0]).toBeCloseTo(1, 12);
    expect(unscaled[1]).toBeCloseTo(Math.sqrt((1 + 1 / 3) / 4), 12);
  });

  it("knows which columns are new, and the leverages of groups", () => {
    const design = [
      [1, 1, 1, 1],
      [1, 1, 0, 0],
    ];
    expect(isIndependent(design, [0, 0, 1, 1])).toBe(false);
    expect(isIndependent(design, [0, 1, 0, 1])).toBe(true);
    leverages(design).forEach((value) => expect(value).toBeCloseTo(0.5, 12));
  });
});
