import { describe, expect, it } from "vitest";
import { CONFIDENCE_TABLE, confidenceOf, signalsOf } from "./confidence.ts";

const WAYS = ["fit", "counts", "reference"] as const;

describe("confidence of names", () => {
  it("has a weight for every signal", () => {
    for (const way of WAYS) {
      expect(CONFIDENCE_TABLE[way]).toHaveLength(signalsOf(way, 0.8, 0.05).length);
    }
  });

  it("rises with the posterior and, where cells share spots, with the gain from looks", () => {
    for (const way of WAYS) {
      expect(confidenceOf(way, 0.9, 0.05)).toBeGreaterThan(confidenceOf(way, 0.8, 0.05));
    }
    for (const way of ["fit", "reference"] as const) {
      expect(confidenceOf(way, 0.8, 0.001)).toBeLessThan(confidenceOf(way, 0.8, 0.05));
      expect(confidenceOf(way, 0.8, null)).toBe(confidenceOf(way, 0.8, -1));
    }
  });

  it("is never certain", () => {
    for (const way of WAYS) {
      expect(confidenceOf(way, 1, 1)).toBeLessThan(0.99);
      expect(confidenceOf(way, 0, null)).toBeLessThan(0.15);
    }
  });
});
