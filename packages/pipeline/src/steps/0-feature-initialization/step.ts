import * as z from "zod";
import { defineStep } from "../../step.ts";

/** Reads the sample, checks that its parts belong together, determines the scale, and clusters the spots. */
export const step = defineStep({
  id: "feature-initialization",
  version: 21,
  settings: ["platform", "resolution", "staining", "channelNames", "seed"],
  inputs: [
    "counts",
    "positions",
    "scalefactors",
    "hires",
    "lowres",
    "image",
    "excluded",
    "kept",
    "alignment",
  ],
  reads: [],
  writes: [
    "spots/barcode",
    "spots/xy",
    "spots/array",
    "spots/counts",
    "spots/total_counts",
    "spots/cluster",
    "spots/X_pca",
    "spots/figures",
    "genes/id",
    "genes/symbol",
    "genes/name",
    "proteins/name",
    "spots/protein_counts",
    "sample/scale",
    "sample/image",
    "sample/quality",
    "sample/species",
  ],
  params: z.strictObject({}),
  run: async (context) => (await import("./run.ts")).run(context),
});
