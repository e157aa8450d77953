import * as z from "zod";
import { defineStep } from "../../step.ts";

/** Learns how the image is stained, where the tissue lies, and prepares large images for reading in tiles. */
export const step = defineStep({
  id: "optical-decomposition",
  version: 6,
  settings: ["staining", "seed"],
  inputs: ["hires", "lowres", "image"],
  reads: ["sample/scale", "sample/image", "spots/xy", "spots/X_pca"],
  writes: [
    "image/stain",
    "image/tissue_mask",
    "image/tissue",
    "image/registration",
    "image/working_copy",
    "image/figures",
  ],
  params: z.strictObject({}),
  run: async (context) => (await import("./run.ts")).run(context),
});
