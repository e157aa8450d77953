import { expect, it } from "vitest";
import { statisticsSection } from "./biology-sections.ts";
import { ReportFigures } from "./figures.ts";
import type { ReportContent } from "./report-content.ts";

it("says what the rows of spatial statistics are, and calls no false discovery rate 0", async () => {
  const content = {
    spatial: {
      ...{ testedCells: 90, minimumCounts: 2, testedGenes: 1, notes: [], domains: null },
      ...{ graph: { edges: 200, medianEdgeUm: 100 }, ligandReceptor: null },
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
  expect(text).toContain("&lt; 1e-300");
});
