import { describe, expect, it } from "vitest";
import type { SpatialStatistics } from "@stipple/contract/statistical-facts";
import reference from "./testing/measures.json" with { type: "json" };
import { spatialSentence } from "./answer-texts.ts";
import { compareInSpace, type SpatialComparison } from "./compare-in-space.ts";
import { designOf, type ComparisonDesign, type Unit } from "./design.ts";
import { compareMeasures } from "./moderated-tests.ts";
import { sampleInSpace } from "./sample-in-space.ts";
import type { NamedSums } from "./shared-genes.ts";

// testing/measures.R wrote these with the version in the file: limma 3.54.1.
describe.each(["groups", "paired", "batch"] as const)("measures with the design %s", (name) => {
  it("differ as limma says", () => {
    const { units, values, expected } = reference;
    const design = designed(
      units.condition.map((condition, i) => ({
        condition,
        patient: name === "paired" ? units.patient[i] : `P${i}`,
        batch: name === "batch" ? units.batch[i] : "",
        samples: [`S${i}`],
      })),
    );
    const rows = compareMeasures(values, design);
    for (const key of ["difference", "low", "high", "t", "p", "fdr"] as const) {
      for (const [i, row] of rows.entries()) {
        const value = expected[name][key][i];
        expect(Math.abs(row[key] - value)).toBeLessThan(1e-7 + 1e-5 * Math.abs(value));
      }
    }
  });
});

function designed(units: readonly Unit[]): ComparisonDesign {
  const design = designOf(units, ["normal", "tumor"]);
  if ("refusal" in design) throw new Error(design.refusal);
  return design;
}

/** Types A and B with 100 edges within each, and `mixed` between them in each direction. */
function statistics(mixed: number, I: number): SpatialStatistics {
  const types = ["A", "B"];
  return {
    ...{ testedCells: 100, minimumCounts: 1, testedGenes: 2, notes: [] },
    graph: { edges: 0, medianEdgeUm: 10, maxEdgeUm: 30, testedEdges: 0 },
    enrichment: {
      ...{ types, permutations: 10, zscore: [] },
      count: [
        [100, mixed],
        [mixed, 100],
      ],
    },
    moran: {
      ...{ genes: ["g1", "g2"], I: [I, 0.1], variance: 1, z: [], pNormal: [], fdr: [] },
      ...{ permutations: 0, pSimulated: [], pZSimulated: [], varianceSimulated: [] },
    },
    coOccurrence: {
      ...{ types, centers: 10, pairs: 10, intervalUm: [0, 60, 120] },
      occ: types.map((one) => types.map((other) => [1, one === other ? 1 + I : null])),
    },
    ...{ domains: null, ligandReceptor: null },
  };
}

function sample(name: string, spatial: SpatialStatistics | null): NamedSums {
  return {
    name,
    sums: {
      ...{
        species: null,
        genes: { id: [], name: [] },
        types: [],
        corrected: false,
        outdated: false,
      },
      spatial: spatial && sampleInSpace(spatial),
    },
  };
}

function compared(samples: readonly NamedSums[], units: readonly Unit[]): SpatialComparison[] {
  return compareInSpace(samples, units, designed(units));
}

const units = ["normal", "normal", "tumor", "tumor"].map((condition, i): Unit => ({
  ...{ condition, patient: `P${i}`, batch: "", samples: [`S${i}`] },
}));

it("compares neighbors, patterns, and co-occurrence of units", () => {
  const samples = [100, 98, 25, 26].map((mixed, i) =>
    sample(`S${i}`, statistics(mixed, 0.2 + i / 100)),
  );
  const [neighbors, patterns, together] = compared(samples, units);
  if ("refusal" in neighbors || "refusal" in patterns || "refusal" in together) {
    throw new Error("refused");
  }
  // 100 within and 100 between: as by chance. 25 of 125 edges where 62.5 are expected: log2(25.5 / 63).
  const mixed = neighbors.rows.find(({ name }) => name === "A – B")!;
  expect(mixed.values[0]).toBeCloseTo(0, 10);
  expect(mixed.values[2]).toBeCloseTo(Math.log2(25.5 / 63), 10);
  expect(mixed.p).toBeLessThan(0.01);
  expect(neighbors.rows.map(({ name }) => name)).toEqual(["A – A", "A – B", "B – B"]);
  // Moran's I of g2 is the same everywhere.
  expect(patterns.rows.map(({ name }) => name)).toEqual(["g1"]);
  expect(patterns.rows[0].means[0]).toBeCloseTo(0.205, 10);
  // Within 120 µm; A and B are never counted together there.
  expect(together.rows.map(({ name }) => name)).toEqual(["A – A", "B – B"]);
  expect(together.rows[0].values[0]).toBeCloseTo(Math.log2(1.2), 10);
  expect(together.left).toBe(1);
  expect(spatialSentence(neighbors, ["normal", "tumor"])).toMatch(
    /^3 of 3 pairs of types differ at a false discovery rate of 5%\. Most certain: A – /,
  );
});

it("adds up the edges of a unit's samples and averages the rest", () => {
  const two = [{ ...units[0], samples: ["S0", "S4"] }, ...units.slice(1)];
  const samples = [100, 100, 100, 100, 25].map((mixed, i) =>
    sample(`S${i}`, statistics(mixed, i === 4 ? 0.4 : 0.2)),
  );
  const [neighbors, patterns] = compared(samples, two);
  if ("refusal" in neighbors || "refusal" in patterns) throw new Error("refused");
  const mixed = neighbors.rows.find(({ name }) => name === "A – B")!;
  expect(mixed.values[0]).toBeCloseTo(Math.log2(125.5 / (325 / 2 + 0.5)), 10);
  expect(patterns.rows[0].values[0]).toBeCloseTo(0.3, 10);
});

it("names a sample without spatial statistics", () => {
  const samples = units.map((_, i) => sample(`S${i}`, i === 2 ? null : statistics(50, 0.2)));
  expect(compared(samples, units)).toEqual(
    ["neighbors", "patterns", "together"].map((kind) => ({
      kind,
      refusal: "S2 has no spatial statistics: run it again as an advanced analysis.",
    })),
  );
});
