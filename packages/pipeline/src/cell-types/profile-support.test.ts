import { describe, expect, it } from "vitest";
import { profileSupport } from "./profile-support.ts";

const [GENES_EACH, HIGH] = [5, 8];

/** Levels of three types with five genes each, and of none. */
function levelsOf(nTypes: number): Float64Array {
  const nGenes = nTypes * GENES_EACH;
  const levels = new Float64Array((nTypes + 1) * nGenes).fill(1);
  for (let t = 0; t < nTypes; t++) {
    levels.fill(HIGH, t * nGenes + t * GENES_EACH, t * nGenes + (t + 1) * GENES_EACH);
  }
  return levels;
}

/** Profiles in which type t has the genes of type `of[t]` at eight times the rate, or none of them raised (−1). */
function supportOf(of: readonly number[]) {
  const nTypes = of.length;
  const nGenes = nTypes * GENES_EACH;
  const profiles = new Float32Array((nTypes + 1) * nGenes).fill(0.1);
  of.forEach((own, t) => {
    if (own < 0) return;
    const from = t * nGenes + own * GENES_EACH;
    profiles.fill(0.1 * HIGH, from, from + GENES_EACH);
  });
  return profileSupport(profiles, Float64Array.of(...of.map(() => 100), 100), {
    genes: Uint32Array.from({ length: nGenes }, (_, g) => g),
    levels: levelsOf(nTypes),
    nTypes: nTypes + 1,
  });
}

describe("what profiles say about names", () => {
  it("supports types that express their genes", () => {
    const { sameAs, support } = supportOf([0, 1, 2]);
    expect([...sameAs]).toEqual([0, 1, 2]);
    for (const value of support) expect(value).toBeGreaterThan(3);
  });

  it("finds that a type expresses the genes of another", () => {
    const { sameAs, support } = supportOf([0, 1, 1]);
    expect([...sameAs]).toEqual([0, 1, 1]);
    expect(support[2]).toBeGreaterThan(1);
  });

  it("does not support a type that expresses no genes of its own", () => {
    const { sameAs, support } = supportOf([0, 1, -1]);
    expect(sameAs[2]).toBe(2);
    expect(support[2]).toBeLessThan(0);
  });
});
