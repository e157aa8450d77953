import { describe, expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { fitCountMixture, typeLikelihoods } from "./count-mixture.ts";
import { referenceLevels, type ExpectedLevels } from "./expected-levels.ts";
import { drawCells } from "./testing/draw-cells.ts";

const GENES_EACH = 6;

/** Levels of `nTypes` types, each with six genes of its own at eight times the average, and none. */
function levelsOf(nTypes: number): ExpectedLevels {
  const nGenes = nTypes * GENES_EACH;
  const levels = new Float64Array((nTypes + 1) * nGenes).fill(1);
  for (let t = 0; t < nTypes; t++)
    levels.fill(8, t * nGenes + t * GENES_EACH, t * nGenes + (t + 1) * GENES_EACH);
  return { genes: Uint32Array.from({ length: nGenes }, (_, g) => g), levels, nTypes: nTypes + 1 };
}

/** Counts of cells whose own genes have eight times the rate of the others. */
function cellsOf(types: readonly number[], nTypes: number, total: number): SparseMatrix {
  const rates = types.map((type) =>
    Array.from({ length: nTypes * GENES_EACH }, (_, g) =>
      Math.floor(g / GENES_EACH) === type ? 8 : 1,
    ),
  );
  return drawCells(rates, total);
}

function likeliest(posterior: Float32Array, width: number): number[] {
  return Array.from({ length: posterior.length / width }, (_, cell) => {
    const own = posterior.subarray(cell * width, (cell + 1) * width);
    return own.indexOf(own.reduce((a, b) => Math.max(a, b)));
  });
}

describe("a mixture of expected profiles", () => {
  it("finds the types of cells, even if one is most of the sample and others are absent", async () => {
    // Type 0 has 70% of the cells; types 3 to 9 do not occur.
    const types = Array.from({ length: 600 }, (_, cell) => (cell % 10 < 7 ? 0 : 1 + (cell % 2)));
    const posterior = await fitCountMixture(cellsOf(types, 10, 60), levelsOf(10), {});
    const found = likeliest(posterior, 11);
    const right = found.filter((type, cell) => type === types[cell]).length;
    expect(right / types.length).toBeGreaterThan(0.95);
    expect(found.filter((type) => type === 0).length / types.length).toBeCloseTo(0.7, 1);
    for (let cell = 0; cell < types.length; cell++) {
      const sum = posterior.subarray(cell * 11, (cell + 1) * 11).reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(1, 4);
    }
  });

  it("is less sure of cells with fewer counts", async () => {
    const types = Array.from({ length: 300 }, (_, cell) => cell % 3);
    const sure = async (total: number): Promise<number> => {
      const posterior = await fitCountMixture(cellsOf(types, 3, total), levelsOf(3), {});
      return types.reduce((sum, type, cell) => sum + posterior[cell * 4 + type], 0) / types.length;
    };
    expect(await sure(5)).toBeLessThan(await sure(50));
  });

  it("is not misled by an abundant gene that only another type lists", async () => {
    const types = Array.from({ length: 400 }, (_, cell) => cell % 2);
    // Type 2 does not occur, but its first gene has most of the counts, and more of them in cells of type 0.
    // As multinomial counts, a third of all cells would be of type 2.
    const rates = types.map((type) => {
      const own = Array.from({ length: 3 * GENES_EACH }, (_, g): number =>
        Math.floor(g / GENES_EACH) === type ? 3 : 1,
      );
      own[2 * GENES_EACH] = type === 0 ? 100 : 40;
      return own;
    });
    const posterior = await fitCountMixture(drawCells(rates, 400), levelsOf(3), {});
    const found = likeliest(posterior, 4);
    expect(found.filter((type) => type === 2).length / types.length).toBeLessThan(0.02);
  });

  it("lets the prior decide between types that the genes do not distinguish", async () => {
    const types = Array.from({ length: 200 }, (_, cell) => cell % 2);
    const { genes, levels } = levelsOf(2);
    // A third type with the genes of the first.
    const twin = Float64Array.of(
      ...levels.subarray(0, 24),
      ...levels.subarray(0, 12),
      ...levels.subarray(24),
    );
    const posterior = await fitCountMixture(
      cellsOf(types, 2, 60),
      { genes, levels: twin, nTypes: 4 },
      { weights: Float64Array.of(1, 1, 0.01, 1) },
    );
    const found = likeliest(posterior, 4);
    expect(found.filter((type) => type === 2)).toEqual([]);
  });

  it("takes levels from a reference whose platform captures genes differently", async () => {
    const types = Array.from({ length: 300 }, (_, cell) => cell % 3);
    const own = levelsOf(3);
    const profiles = Float64Array.from({ length: 3 * 18 }, (_, i) => {
      const gene = i % 18;
      // Every other gene is captured ten times as well.
      return own.levels[i] * (gene % 2 === 0 ? 10 : 1) * 0.01;
    });
    const genes = Uint32Array.from({ length: 18 }, (_, g) => g);
    const expected = referenceLevels({ labels: ["a", "b", "c"], genes, profiles });
    const posterior = await fitCountMixture(cellsOf(types, 3, 60), expected, {});
    const right = likeliest(posterior, 4).filter((type, cell) => type === types[cell]).length;
    expect(right / types.length).toBeGreaterThan(0.95);
  });

  it("says how likely the types of cells are before shares are known, and gives types without weight no cell", async () => {
    const expected = levelsOf(3);
    const counts = cellsOf([0, 0, 0, 1, 1, 1], 3, 60);
    const likelihoods = await typeLikelihoods(counts, expected, {});
    const best = likelihoods.flatMap((own) => likeliest(Float32Array.from(own), 4));
    expect(best).toEqual([0, 0, 0, 1, 1, 1]);
    const weights = Float64Array.of(1, 0, 1, 1);
    const posterior = await fitCountMixture(counts, expected, { weights });
    for (let cell = 0; cell < 6; cell++) expect(posterior[cell * 4 + 1]).toBe(0);
  });
});
