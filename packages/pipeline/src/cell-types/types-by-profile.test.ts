import { describe, expect, it } from "vitest";
import { typesByProfile } from "./types-by-profile.ts";

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
 * The likeliest type of each component, −1 of none, and how likely it is. Components have the genes of type `of[c]` at
 * eight times the rate, or none of them raised (−1), or stray genes of all types raised (−2); the last one holds the cells
 * of none. They were fitted as the first types.
 * @param raised further rates of the last component by gene
 */
function foundFor(
  of: readonly number[],
  nTypes = of.length,
  raised: Readonly<Record<number, number>> = {},
): { types: number[]; odds: number[] } {
  const nGenes = nTypes * GENES_EACH;
  const profiles = new Float32Array((of.length + 1) * nGenes).fill(0.1);
  of.forEach((own, c) => {
    if (own === -1) return;
    for (let g = 0; g < nGenes; g++) {
      const isRaised = own === -2 ? g % GENES_EACH === 0 : Math.floor(g / GENES_EACH) === own;
      if (isRaised) profiles[c * nGenes + g] = 0.1 * (own === -2 ? 60 : HIGH);
    }
  });
  for (const [gene, rate] of Object.entries(raised)) {
    profiles[(of.length - 1) * nGenes + Number(gene)] = rate;
  }
  const mass = Float64Array.of(...of.map((own) => (own === -2 ? 5 : 100)), 100);
  const found = typesByProfile(
    { profiles, mass, fittedAs: [...of.keys()] },
    {
      genes: Uint32Array.from({ length: nGenes }, (_, g) => g),
      levels: levelsOf(nTypes),
      nTypes: nTypes + 1,
    },
  );
  const likely = found.map((own) => own.reduce((a, b) => Math.max(a, b)));
  const at = found.map((own, c) => own.indexOf(likely[c]));
  return { types: at.map((type) => (type === nTypes ? -1 : type)), odds: likely };
}

describe("types by the profiles of components", () => {
  it("are those that components were fitted as, if they express their genes", () => {
    const { types, odds } = foundFor([0, 1, 2]);
    expect(types).toEqual([0, 1, 2]);
    expect(Math.min(...odds)).toBeGreaterThan(0.99);
  });

  it("are other fitted types whose genes they express", () => {
    expect(foundFor([0, 1, 1]).types).toEqual([0, 1, 1]);
  });

  it("are types that were not fitted, too", () => {
    expect(foundFor([0, 1, 3], 4).types).toEqual([0, 1, 3]);
  });

  it("stay if a profile says little, as likely as they are a priori", () => {
    const { types, odds } = foundFor([0, 1, -1]);
    expect(types).toEqual([0, 1, 2]);
    // 20 to 1 against each of two others if its profile said nothing; it lacks their genes.
    expect(odds[2]).toBeGreaterThan(20 / 22);
  });

  it("are those whose genes they express most, even if lists describe but half of the counts", () => {
    // Three of the first type's genes, and less of those of the type that it was fitted as.
    const [most, less] = [2, 0.4];
    const own = Object.fromEntries([20, 21, 22, 23, 24].map((gene) => [gene, less]));
    const { types } = foundFor([0, 1, 2, 3, -1], 5, { ...own, 0: most, 1: most, 2: most });
    expect(types).toEqual([0, 1, 2, 3, 0]);
  });

  it("are none for stray counts of genes of all types", () => {
    expect(foundFor([0, 1, 2, 3, -2], 5).types).toEqual([0, 1, 2, 3, -1]);
  });
});
