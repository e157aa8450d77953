import { expect, it } from "vitest";
import { configurationText, countProjects, expiryTone, openingOf } from "./project-facts.ts";

it("opens a project where its status says", () => {
  expect(
    (["pending", "processing", "completed", "failed", "created"] as const).map((status) =>
      openingOf({ status }),
    ),
  ).toEqual(["progress", "progress", "results", "workflow", "workflow"]);
});

it("colours the remaining days", () => {
  expect([31, 30, 8, 7, 0].map(expiryTone)).toEqual(["ok", "warn", "warn", "bad", "bad"]);
});

it("words the configuration; a resolution belongs to HD only", () => {
  expect(
    configurationText({
      platform: "hd_visium",
      staining: "h_and_e",
      analysis_type: "advanced",
      resolution: "8",
    }),
  ).toBe("HD Visium · H&E · Advanced · 8x");
  expect(
    configurationText({
      platform: "visium",
      staining: "if",
      analysis_type: "basic",
      resolution: "16",
    }),
  ).toBe("Visium · IF · Basic");
});

it("counts waiting projects as processing", () => {
  expect(
    countProjects([{ status: "pending" }, { status: "processing" }, { status: "failed" }]),
  ).toEqual({ total: 3, completed: 0, processing: 2, failed: 1 });
});
