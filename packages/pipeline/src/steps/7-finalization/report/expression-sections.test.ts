import { expect, it } from "vitest";
import { morphologySection } from "./expression-sections.ts";
import type { ReportContent } from "./report-content.ts";

it.each(["spot", "bin"] as const)(
  "names the %ss that the counts of cells come from",
  (spotNoun) => {
    const expression = { morphologyGain: 0.02, morphologySentence: "", settings: {} };
    const results = { facts: { expression: { ...expression, prototypes: 8, fits: 1 } } };
    const content = { results, selfTest: null, noun: "cell", spotNoun } as unknown as ReportContent;
    const text = morphologySection(content).body.markup.replace(/\s+/g, " ");
    expect(text).toContain(`predicts held-out ${spotNoun}s better`);
  },
);

it.each(["cell", "spot"] as const)(
  "tells of a test of looks only where there are cells: %s",
  (noun) => {
    const expression = { morphologyGain: null, morphologySentence: "Not tested.", settings: {} };
    const results = { facts: { expression: { ...expression, prototypes: 8, fits: 1 } } };
    const content = { results, selfTest: null, noun } as unknown as ReportContent;
    const { markup } = morphologySection(content).body;
    expect(markup.includes("shuffled among the cells")).toBe(noun === "cell");
  },
);
