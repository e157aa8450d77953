import * as z from "zod";
import { defineStep } from "../../step.ts";

/** Over a longer one, each spot shares its counts with so many cells that an array exceeds memory. */
export const LONGEST_LENGTH_UM = { disc: 400, square: 40 } as const;

const params = z.strictObject({
  beta: z
    .number()
    .min(0)
    .max(0.9)
    .nullable()
    .default(null)
    .describe(
      "Share of a spot's counts that comes from cells outside it (bleed); if not set, 0.25",
    ),
  lengthUm: z
    .number()
    .positive()
    .max(LONGEST_LENGTH_UM.disc)
    .nullable()
    .default(null)
    .describe(
      "Length over which bleed falls off, µm; if not set, 80 for spots and 8 for bins (at most 40)",
    ),
  reach: z
    .number()
    .min(0.5)
    .max(10)
    .default(1)
    .describe(
      "How far from a spot's center a cell can be and still be inferred from it, in spot distances (at least 20 µm); cells beyond get no type",
    ),
  fineBins: z
    .boolean()
    .default(true)
    .describe("Whether to take cell counts and rates from 2 µm bins, if provided"),
  fineReachUm: z
    .number()
    .min(0)
    .max(50)
    .default(10)
    .describe(
      "How far from a nucleus a 2 µm bin outside all outlines can be and still belong to its cell, µm",
    ),
});
export type IntegrationParameters = z.infer<typeof params>;

/** Links spots and cells: how much of each cell's RNA each spot captures. */
export const step = defineStep({
  id: "matrix-integration",
  version: 10,
  settings: [],
  inputs: ["fine_bins"],
  reads: [
    "sample/scale",
    "sample/segmentation",
    "spots/barcode",
    "spots/xy",
    "spots/seen",
    "spots/array",
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
