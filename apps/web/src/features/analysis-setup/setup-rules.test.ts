import { expect, it } from "vitest";
import { checkSetup, EMPTY_SETUP, type Setup } from "./setup-rules.ts";

const complete: Setup = {
  name: " Brain 1 ",
  platform: "visium",
  staining: "h_and_e",
  analysisType: "basic",
  resolution: "",
};

it("names the first missing item", () => {
  expect(checkSetup(EMPTY_SETUP)).toEqual({ problem: "Please enter a project name" });
  expect(checkSetup({ ...complete, name: "  " })).toEqual({
    problem: "Please enter a project name",
  });
  for (const part of ["platform", "staining", "analysisType"] as const) {
    expect(checkSetup({ ...complete, [part]: "" })).toEqual({
      problem: "Please complete all analysis options selections",
    });
  }
  expect(checkSetup({ ...complete, platform: "hd_visium" })).toEqual({
    problem: "Please select a resolution for HD Visium analysis",
  });
});

it("sends the resolution only for HD Visium", () => {
  expect(checkSetup({ ...complete, resolution: "8" })).toEqual({
    body: {
      project_name: "Brain 1",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
    },
  });
  expect(checkSetup({ ...complete, platform: "hd_visium", resolution: "16" })).toMatchObject({
    body: { analysis_options: { platform: "hd_visium", resolution: "16" } },
  });
});
