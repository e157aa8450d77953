import * as z from "zod";
import { defineStep } from "../../step.ts";

export const featureInitialization = defineStep({
  number: 0,
  name: "Feature Initialization",
  weight: 10,
  version: 1,
  reads: [],
  writes: [
    "spots/barcode",
    "spots/xy",
    "spots/array",
    "spots/in_tissue",
    "spots/counts",
    "spots/total_counts",
    "spots/cluster",
    "spots/X_pca",
    "genes/id",
    "genes/symbol",
    "genes/name",
    "sample/scale",
    "sample/image",
    "sample/quality",
  ],
  params: z.strictObject({}),
  run() {
    return Promise.reject(new Error("Step 0 is being written"));
  },
});
