import { expect, it } from "vitest";
import { originText } from "./origin-text.ts";

it("says what was analyzed, how, and when", () => {
  const analysis = {
    platform: "HD Visium",
    staining: "if",
    analysis_type: "advanced",
    resolution: "8",
  } as const;
  expect(originText({ analysis, analyzed_at: "2026-11-26T23:00:00Z" })).toBe(
    "HD Visium · IF · Advanced · 8 µm · November 26, 2026",
  );
  expect(
    originText({
      analysis: { ...analysis, platform: "Visium", staining: "h_and_e", resolution: null },
      analyzed_at: null,
    }),
  ).toBe("Visium · H&E · Advanced");
});
