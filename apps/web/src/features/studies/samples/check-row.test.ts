import type { Study } from "@stipple/contract/routes/studies";
import { expect, it } from "vitest";
import { rowFault } from "./check-row.ts";
import { NOTHING_SHARED, type Row } from "./intake.ts";
import { FAULTS } from "./texts.ts";

it("takes a sample of a name that only a sample with a deleted project has", () => {
  const row: Row = {
    ...{ key: "P4", name: "P4", folder: "P4", files: [], own: {}, extra: {} },
    ...{ fault: null, design: {} },
  };
  const shared = { ...NOTHING_SHARED, platform: "visium", staining: "h_and_e" };
  const faultIn = (project_id: string | null): string | null => {
    const samples = [{ name: "P4", project_id, status: "completed", waits: false }];
    const study = { samples } as unknown as Study;
    return rowFault(row, { rows: [row], shared, study, schema: undefined });
  };
  expect(faultIn("id")).toBe(FAULTS.inStudy("P4"));
  expect(faultIn(null)).toBe(null);
});
