import { describe, expect, it } from "vitest";
import { weighByProfiles } from "./weigh-by-profiles.ts";

const [GENES_EACH, HIGH] = [5, 8];
const NAMES = ["Fibroblast", "Smooth muscle", "Macrophage", "Erythroid", "Endothelial"];
const N_GENES = NAMES.length * GENES_EACH;

/** Rates relative to the mean of a cell that expresses the genes of a type, or of none. */
function levelsOf(type: number): number[] {
  return Array.from({ length: N_GENES }, (_, g) =>
    Math.floor(g / GENES_EACH) === type ? HIGH : 1,
  );
}

const expected = {
  genes: Uint32Array.from({ length: N_GENES }, (_, g) => g),
  levels: Float64Array.from([...NAMES.keys(), -1].flatMap(levelsOf)),
  nTypes: NAMES.length + 1,
};

/** Stray counts of a gene of each type. */
const STRAY = Array.from({ length: N_GENES }, (_, g) => (g % GENES_EACH === 0 ? 60 : 1));

/** Types that were fitted to cells, which express the genes of other types, and what cells are of then. */
function weighed(
  fitted: readonly { name: string; expresses: string }[],
  rows: readonly (readonly number[])[],
  tissue = "pancreas",
) {
  const profiles = Float32Array.from(
    [
      ...fitted.map(({ expresses }) =>
        expresses === "stray" ? STRAY : levelsOf(NAMES.indexOf(expresses)),
      ),
      levelsOf(-1),
    ].flat(),
  );
  const types = fitted.map(({ name }, t) => ({ name, markers: [t] }));
  const found = weighByProfiles(
    {
      report: { species: "human", tissue, tissueScores: {}, types },
      posterior: Float32Array.from(rows.flat()),
    },
    profiles,
    { names: NAMES, expected },
  );
  const names = [...found.report.types.map(({ name }) => name), "none"];
  return {
    types: found.report.types,
    cells: rows.map((_, cell) =>
      Object.fromEntries(
        names.map((name, t) => [name, found.posterior[cell * names.length + t]] as const),
      ),
    ),
  };
}

/** As many cells of each row. */
const cellsOf = (times: number, ...rows: readonly (readonly number[])[]): (readonly number[])[] =>
  rows.flatMap((row) => Array.from({ length: times }, () => row));

/** Fitted types that have their own profiles. */
const ownProfiles = (...names: readonly string[]): { name: string; expresses: string }[] =>
  names.map((name) => ({ name, expresses: name }));
const CONTRACTING = { name: "Smooth muscle", expresses: "Fibroblast" };

describe("types weighed by profiles", () => {
  it("are those of the profile that fitted types have", () => {
    const { cells, types } = weighed(
      [...ownProfiles("Fibroblast", "Macrophage"), CONTRACTING],
      cellsOf(20, [0.1, 0.1, 0.8, 0], [0.9, 0, 0.1, 0], [0, 1, 0, 0]),
    );
    expect(cells[0].Fibroblast).toBeGreaterThan(0.85);
    expect(cells[40].Macrophage).toBeGreaterThan(0.95);
    expect(types.find(({ name }) => name === "Fibroblast")?.markers).toEqual([0]);
  });

  it("can be types that were not fitted", () => {
    const { cells, types } = weighed(
      [...ownProfiles("Macrophage", "Endothelial"), CONTRACTING],
      cellsOf(20, [0.1, 0, 0.9, 0], [1, 0, 0, 0], [0, 1, 0, 0]),
    );
    expect(cells[0].Fibroblast).toBeGreaterThan(0.8);
    expect(types.find(({ name }) => name === "Fibroblast")?.markers).toEqual([]);
  });

  it("are none where a profile is stray counts", () => {
    const { cells } = weighed(
      [
        ...ownProfiles("Fibroblast", "Macrophage", "Endothelial"),
        { name: "Smooth muscle", expresses: "stray" },
      ],
      [
        ...cellsOf(40, [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]),
        ...cellsOf(2, [0, 0, 0.2, 0.8, 0]),
      ],
    );
    expect(cells[120].none).toBeGreaterThan(0.75);
    expect(cells[120]["Smooth muscle"] ?? 0).toBeLessThan(0.01);
  });

  it("divide cells of none of the fitted types, and of types without a nucleus, unless the tissue has their precursors", () => {
    const fitted = ownProfiles("Fibroblast", "Macrophage", "Erythroid");
    const rows = cellsOf(20, [0.3, 0.1, 0, 0.6], [0, 0.1, 0.9, 0], [0, 1, 0, 0]);
    const { cells } = weighed(fitted, rows);
    expect(cells[0].Fibroblast).toBeGreaterThan(0.7);
    expect(cells[20].Erythroid).toBeUndefined();
    expect(cells[20].Macrophage).toBeGreaterThan(0.85);
    expect(weighed(fitted, rows, "bone").cells[20].Erythroid).toBeGreaterThan(0.85);
    for (const own of cells) {
      expect(Object.values(own).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
    }
  });
});
