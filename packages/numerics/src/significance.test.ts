import { describe, expect, it } from "vitest";
import { adjustForFalseDiscovery } from "./false-discovery.ts";
import { normalUpperTail } from "./normal-tail.ts";
import { studentTwoSided } from "./student-tail.ts";

describe("normalUpperTail", () => {
  // scipy.stats.norm.sf, SciPy 1.17.1.
  it.each([
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [1.95996398454005, 0.025],
    [2.8, 0.002555130330427931],
    [2.9, 0.001865813300384034],
    [6, 9.865876450376946e-10],
    [20, 2.7536241186062337e-89],
    [37, 5.725571222524577e-300],
    [-1, 0.8413447460685429],
  ])("of %d", (z, p) => {
    expect(normalUpperTail(z) / p).toBeCloseTo(1, 12);
  });

  it("reaches 0 and keeps NaN", () => {
    expect(normalUpperTail(60)).toBe(0);
    expect(normalUpperTail(NaN)).toBeNaN();
  });
});

describe("studentTwoSided", () => {
  it.each([
    // One and two degrees of freedom have closed forms; the others are in standard tables.
    [1, 1, 0.5],
    [0.1, 2, 1 - 0.1 / Math.sqrt(2.01)],
    [2.2281388519649385, 10, 0.05],
    [2.0003, 60, 0.05],
  ])("of %d with %d degrees of freedom", (t, df, p) => {
    expect(studentTwoSided(t, df)).toBeCloseTo(p, 5);
    expect(studentTwoSided(-t, df)).toBeCloseTo(p, 5);
  });

  it("approaches the normal tail", () => {
    expect(studentTwoSided(3, 1e7) / (2 * normalUpperTail(3))).toBeCloseTo(1, 5);
  });
});

describe("adjustForFalseDiscovery", () => {
  it("scales by rank and never decreases with p", () => {
    // By hand: 4/1·0.01, 4/2·0.04 → min with the later 4/3·0.03 …
    expect([...adjustForFalseDiscovery([0.01, 0.04, 0.03, 0.5])]).toEqual([
      0.04,
      (0.04 * 4) / 3,
      (0.04 * 4) / 3,
      0.5,
    ]);
  });

  it("does not count NaN as a test", () => {
    expect([...adjustForFalseDiscovery([0.02, NaN, 0.9])]).toEqual([0.04, NaN, 0.9]);
  });
});
