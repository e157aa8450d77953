import * as z from "zod";
import { defineStep } from "../../step.ts";
import { networkOptions } from "./network-options.ts";

const nucleusParams = z.strictObject({
  network: networkOptions.default(networkOptions.parse({})),
});

const params = z.strictObject({
  workingUmPerPx: z
    .number()
    .min(0.2)
    .max(1)
    .default(0.5)
    .describe(
      "Coarsest scale at which nuclei are detected, µm per pixel; coarser images are enlarged",
    ),
  fineUmPerPx: z
    .number()
    .min(0.2)
    .max(1)
    .default(0.35)
    .describe("Finest scale at which nuclei are detected, µm per pixel; finer images are reduced"),
  coarsestUmPerPx: z
    .number()
    .positive()
    .default(1.2)
    .describe("Coarsest image in which nuclei are detected, µm per pixel"),
  tilePx: z.int().min(256).max(8192).default(1536).describe("Side of the image tiles, pixels"),
  maxExpansionUm: z
    .number()
    .min(0)
    .max(20)
    .default(6)
    .describe("How far a cell extends beyond its nucleus, µm"),
  outlinesAre: z
    .enum(["cells", "nuclei"])
    .default("cells")
    .describe("What outlines from another program are: cells as they are, or nuclei to expand"),
  nuclei: nucleusParams.default(nucleusParams.parse({})).describe("How nuclei are found"),
});
export type MorphologyParameters = z.infer<typeof params>;

/** Finds nuclei, grows cells around them, and measures both. */
export const step = defineStep({
  id: "morphological-analysis",
  version: 19,
  settings: ["segmentation", "seed"],
  inputs: ["hires", "lowres", "image", "segmented", "excluded", "kept", "outlines"],
  reads: [
    "sample/scale",
    "sample/image",
    "spots/xy",
    "image/stain",
    "image/tissue_mask",
    "image/working_copy",
  ],
  writes: [
    "nuclei/polygon",
    "cells/polygon",
    "cells/xy",
    "cells/area_um2",
    "cells/nucleus_area_um2",
    "cells/image_quality",
    "cells/features",
    "cells/figures",
    "features/name",
    "sample/segmentation",
  ],
  params,
  run: async (context) => (await import("./run.ts")).run(context),
});
