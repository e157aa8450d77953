import { expect, it } from "vitest";
import {
  configurationText,
  countProjects,
  expiringSoon,
  expiryTone,
  openingOf,
} from "./project-facts.ts";

it("opens a project at the page for its status", () => {
  expect(
    (["pending", "processing", "completed", "failed", "created"] as const).map((status) =>
      openingOf({ status }),
    ),
  ).toEqual(["progress", "progress", "results", "workflow", "workflow"]);
});

it("colors the remaining days", () => {
  expect([31, 30, 8, 7, 0].map(expiryTone)).toEqual(["ok", "warn", "warn", "bad", "bad"]);
});

it("describes the configuration, with a resolution only for HD", () => {
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

it("shows options that this version does not know as the usual ones", () => {
  const unknown = { platform: "Visium", staining: "H&E", analysis_type: "basic" } as never;
  expect(configurationText(unknown)).toBe("Visium · H&E · Basic");
});

it("counts waiting projects as processing", () => {
  expect(
    countProjects([{ status: "pending" }, { status: "processing" }, { status: "failed" }]),
  ).toEqual({ total: 3, completed: 0, processing: 2, failed: 1 });
  const again = { status: "completed", waits: true } as const;
  expect(countProjects([again])).toEqual({ total: 1, completed: 0, processing: 1, failed: 0 });
});

it("names the projects to be deleted within a week, soonest first", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const project = (name: string, storage_expiry: string | null) => ({ name, storage_expiry });
  const soon = expiringSoon(
    [
      project("next month", "2026-04-01T12:00:00Z"),
      project("in a week", "2026-03-08T12:00:00Z"),
      project("no end", null),
      project("tomorrow", "2026-03-02T12:00:00Z"),
    ],
    now,
  );
  expect(soon.map(({ name }) => name)).toEqual(["tomorrow", "in a week"]);
});
