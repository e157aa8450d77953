import * as z from "zod";
import { INPUT_NAMES } from "../../readers/sample-files.ts";
import { SELF_TEST_READS } from "../../self-test/self-test-reads.ts";
import { SETTING_NAMES } from "../../settings.ts";
import { defineStep } from "../../step.ts";
import { EXPORTED_FIELDS } from "./exported-fields.ts";

const params = z.strictObject({
  selfTest: z
    .boolean()
    .default(true)
    .describe("Whether to test the expected accuracy on a synthetic twin of the sample"),
});
export type FinalizationParameters = z.infer<typeof params>;

/** Writes all exports, the report, and everything needed to repeat the analysis. */
export const step = defineStep({
  id: "finalization",
  version: 31,
  // These appear in the report and in provenance.json.
  settings: SETTING_NAMES,
  inputs: INPUT_NAMES,
  history: true,
  reads: [...new Set([...EXPORTED_FIELDS, ...SELF_TEST_READS, "sample/type_fit" as const])],
  writes: ["sample/self_test"],
  folders: ["analysis_results"],
  params,
  run: async (context) => (await import("./run.ts")).run(context),
});
