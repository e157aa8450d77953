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

/**
 * Components with the genes of type `of[c]` at eight times the rate, or none of them raised (−1), or stray genes of all
 * types raised (−2), and last the cells of none; fitted as the first types.
 */
function supportOf(of: readonly number[], nTypes = of.length) {
  const nGenes = nTypes * GENES_EACH;
  const profiles = new Float32Array((of.length + 1) * nGenes).fill(0.1);
  of.forEach((own, c) => {
    if (own === -1) return;
    for (let g = 0; g < nGenes; g++) {
      const isRaised = own === -2 ? g % GENES_EACH === 0 : Math.floor(g / GENES_EACH) === own;
      if (isRaised) profiles[c * nGenes + g] = 0.1 * (own === -2 ? 60 : HIGH);
    }
  });
  const mass = Float64Array.of(...of.map((own) => (own === -2 ? 5 : 100)), 100);
  return profileSupport(
    { profiles, mass, fittedAs: [...of.keys()] },
    {
      genes: Uint32Array.from({ length: nGenes }, (_, g) => g),
      levels: levelsOf(nTypes),
      nTypes: nTypes + 1,
    },
  );
}

describe("what profiles say about names", () => {
  it("explains those of types that express their genes", () => {
    const { typeOf, explained } = supportOf([0, 1, 2]);
    expect([...typeOf]).toEqual([0, 1, 2]);
    for (const value of explained) expect(value).toBeGreaterThan(0.2);
  });

  it("finds that a component expresses the genes of another fitted type", () => {
    const { typeOf, explained } = supportOf([0, 1, 1]);
    expect([...typeOf]).toEqual([0, 1, 1]);
    expect(explained[2]).toBeGreaterThan(0.1);
  });

  it("finds that a component expresses the genes of a type that was not fitted", () => {
    expect([...supportOf([0, 1, 3], 4).typeOf]).toEqual([0, 1, 3]);
  });

  it("leaves a name whose profile says little, with little explained", () => {
    const { typeOf, explained } = supportOf([0, 1, -1]);
    expect(typeOf[2]).toBe(2);
    expect(explained[2]).toBeLessThan(0);
  });

  it("gives no type to a component of stray counts of genes of all types", () => {
    const { typeOf } = supportOf([0, 1, 2, 3, -2], 5);
    expect([...typeOf]).toEqual([0, 1, 2, 3, -1]);
  });
});
