import { describe, expect, it } from "vitest";
import { CONFIDENCE_TABLE, confidenceOf, signalsOf } from "./confidence.ts";

const evidence = { posterior: 0.8, explained: 0.3, lookGain: 0.05 };

describe("confidence of names", () => {
  it("has a weight for every signal", () => {
    for (const way of ["fit", "counts", "reference"] as const) {
      expect(CONFIDENCE_TABLE[way]).toHaveLength(signalsOf(way, evidence).length);
    }
  });

  it("rises with the posterior, the share of the profile that the name explains, and the gain from looks", () => {
    const own = confidenceOf("fit", evidence);
    expect(confidenceOf("fit", { ...evidence, posterior: 0.9 })).toBeGreaterThan(own);
    expect(confidenceOf("fit", { ...evidence, explained: -0.1 })).toBeLessThan(own);
    expect(confidenceOf("fit", { ...evidence, lookGain: 0.001 })).toBeLessThan(own);
    expect(confidenceOf("fit", { ...evidence, lookGain: null })).toBe(
      confidenceOf("fit", { ...evidence, lookGain: -1 }),
    );
  });

  it("is never certain", () => {
    for (const way of ["fit", "counts", "reference"] as const) {
      expect(confidenceOf(way, { posterior: 1, explained: 0.8, lookGain: 1 })).toBeLessThan(0.99);
      expect(confidenceOf(way, { posterior: 0, explained: -1, lookGain: null })).toBeLessThan(0.15);
    }
  });
});
