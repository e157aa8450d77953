import * as z from "zod";
import { INPUT_NAMES } from "../../readers/sample-files.ts";
import { SELF_TEST_READS } from "../../self-test/self-test-reads.ts";
import { SETTING_NAMES } from "../../settings.ts";
import { defineStep } from "../../step.ts";
import type { ReadKey } from "../../views.ts";

/** The fields used by the exports and the report. */
const EXPORTED_FIELDS = [
  "spots/barcode",
  "spots/xy",
  "spots/array",
  "spots/counts",
  "spots/total_counts",
  "spots/cells",
  "spots/cluster",
  "spots/proportion",
  "spots/proportion_low",
  "spots/proportion_high",
  "genes/id",
  "genes/name",
  "genes/symbol",
  "proteins/name",
  "spots/protein_counts",
  "cells/features",
  "features/name",
  "cells/near_spot",
  "cells/near_weight",
  "sample/scale",
  "sample/image",
  "sample/quality",
  "sample/segmentation",
  "sample/bleed",
  "sample/expression",
  "sample/typing",
  "image/stain",
  "image/registration",
  "cells/xy",
  "cells/polygon",
  "nuclei/polygon",
  "cells/area_um2",
  "cells/spot",
  "cells/observed",
  "cells/evidence",
  "cells/image_quality",
  "cells/counts",
  "cells/allocated",
  "cells/rate_cv",
  "genes/unassigned",
  "genes/fine_total",
  "sample/fine_bins",
  "genes/heldout_pcc",
  "genes/reliable",
  "genes/rate_source",
  "genes/cell_pcc",
  "genes/rate_cv",
  "cells/cluster",
  "cells/cell_type",
  "cells/confidence",
  "cells/type_margin",
  "cells/X_pca",
  "cells/X_umap",
  "types/name",
  "types/color",
  "cells/rate",
  "cells/neighbors",
  "cells/domain",
  "genes/cluster_auc",
  "genes/type_auc",
  "image/working_copy",
  "spots/figures",
  "image/figures",
  "cells/figures",
  "sample/figures",
  "clusters/tables",
  "sample/tables",
  "sample/markers",
  "sample/spatial_statistics",
] as const satisfies readonly ReadKey[];

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
  version: 57,
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
