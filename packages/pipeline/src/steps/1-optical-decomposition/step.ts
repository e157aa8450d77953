import * as z from "zod";
import { defineStep } from "../../step.ts";

export const opticalDecomposition = defineStep({
  number: 1,
  name: "Optical Decomposition",
  weight: 10,
  version: 1,
  reads: ["sample/scale", "sample/image", "spots/xy"],
  writes: ["image/stain", "image/tissue_mask", "image/tissue"],
  params: z.strictObject({}),
  run() {
    return Promise.reject(new Error("Step 1 is being written"));
  },
});
