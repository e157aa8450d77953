import * as z from "zod";
import { defineStep } from "../../step.ts";

const params = z.strictObject({
  beta: z
    .number()
    .min(0)
    .max(0.9)
    .nullable()
    .default(null)
    .describe(
      "Share of a spot's counts that come from cells outside it; estimated where possible unless given, else 0.25",
    ),
  lengthUm: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      "Length over which bleed falls off, µm; estimated where possible unless given, else 80 for spots and 8 for bins",
    ),
  reach: z
    .number()
    .min(0.5)
    .max(10)
    .default(1)
    .describe(
      "How far from a spot's center a cell can lie and still be inferred from it, in spot distances (at least 20 µm); cells beyond get no type",
    ),
  fineBins: z
    .boolean()
    .default(true)
    .describe(
      "Whether cells are given their counts, on which their rates rest, from bins of 2 µm, where these were given",
    ),
  fineReachUm: z
    .number()
    .min(0)
    .max(50)
    .default(10)
    .describe(
      "How far from a nucleus a bin of 2 µm outside all outlines can lie and still be its cell's, µm",
    ),
});
export type IntegrationParameters = z.infer<typeof params>;

/** Joins spots and cells: how much of each cell's RNA each spot can have seen. */
export const step = defineStep({
  id: "matrix-integration",
  version: 6,
  settings: [],
  inputs: ["fine_bins"],
  reads: [
    "sample/scale",
    "sample/segmentation",
    "spots/barcode",
    "spots/xy",
    "spots/array",
    "spots/in_tissue",
    "spots/total_counts",
    "nuclei/polygon",
    "cells/polygon",
    "cells/xy",
    "cells/area_um2",
    "genes/id",
  ],
  writes: [
    "spots/cells",
    "cells/spot",
    "cells/observed",
    "cells/evidence",
    "sample/bleed",
    "cells/fine_counts",
    "cells/fine_capture",
    "cells/fine_efficiency",
    "genes/fine_total",
    "genes/fine_unassigned",
    "sample/fine_bins",
  ],
  params,
  run: async (context) => (await import("./run.ts")).run(context),
});
