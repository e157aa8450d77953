import { expect, it } from "vitest";
import { statisticsSection, typesSection } from "./biology-sections.ts";
import { ReportFigures } from "./figures.ts";
import type { ReportContent } from "./report-content.ts";

it("says what the rows of spatial statistics are, and calls no false discovery rate 0", async () => {
  const content = {
    spatial: {
      ...{ testedCells: 90, minimumCounts: 2, testedGenes: 1, notes: [], domains: null },
      ...{ graph: { edges: 200, testedEdges: 150, maxEdgeUm: 250 }, ligandReceptor: null },
      moran: { genes: ["GCG"], I: [0.65], fdr: [0] },
    },
    exports: Promise.resolve([]),
    noun: "spot",
    spotNoun: "spot",
  } as unknown as ReportContent;
  const section = await statisticsSection(content, new ReportFigures([], content));
  const text = section!.body.markup.replace(/\s+/g, " ");
  expect(text).toContain("90 spots with at least 2 UMIs");
  expect(text).not.toMatch(/\bcells\b/i);
  expect(text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain(
    "among tested spots 150 Pairs of neighbors among all spots 200 Neighbors are at most 250 µm apart",
  );
  expect(text).toContain("&lt; 1e-300");
});

it("calls only genes markers that are higher in the type", async () => {
  const astrocyte = { name: "Astrocyte", color: "#0072B2", count: 2 };
  const content = {
    results: {
      types: [astrocyte],
      clusters: [],
      annotations: null,
      spots: { proportions: null },
      cells: { typeOf: [0, 0], confidence: [0.9, 0.8], observed: [1, 1] },
      facts: { typing: { method: "markers", species: "mouse", unknownFraction: 0 } },
    },
    markers: [
      {
        groupBy: "cell_type",
        groups: [
          {
            ...{ group: "Astrocyte", genes: ["Gja1", "Mia", "Aif1", "Txn"] },
            ...{ logFoldChanges: [3.8, -0.5, -1, 1], scores: [10, 3, -3, 1] },
            pvalsAdj: [0.001, 0.004, 0.01, 0.3],
          },
        ],
      },
    ],
    noun: "cell",
    spotNoun: "bin",
  } as unknown as ReportContent;
  const { body } = await typesSection(content, new ReportFigures([], content));
  expect(body.markup).toContain("Gja1");
  expect(body.markup).not.toMatch(/Mia|Aif1|Txn/);
});
