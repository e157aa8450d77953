import * as z from "zod";
import { defineStep } from "../../step.ts";

const params = z.strictObject({
  acceptImage: z
    .boolean()
    .default(false)
    .describe("Continue even if the image does not seem to match the spots"),
});
export type OpticalParameters = z.infer<typeof params>;

/** Determines the stain vectors and the tissue area, and prepares large images for reading in tiles. */
export const step = defineStep({
  id: "optical-decomposition",
  version: 18,
  settings: ["staining", "seed"],
  inputs: ["hires", "lowres", "image"],
  reads: ["sample/scale", "sample/image", "spots/xy", "spots/X_pca"],
  writes: [
    "image/stain",
    "image/tissue_mask",
    "image/registration",
    "spots/seen",
    "image/working_copy",
    "image/figures",
  ],
  params,
  run: async (context) => (await import("./run.ts")).run(context),
});
