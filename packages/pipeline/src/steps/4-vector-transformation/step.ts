import * as z from "zod";
import { defineStep } from "../../step.ts";

export const vectorTransformation = defineStep({
  number: 4,
  name: "Vector Transformation",
  weight: 15,
  version: 1,
  reads: [
    "sample/scale",
    "sample/segmentation",
    "spots/xy",
    "spots/counts",
    "spots/X_pca",
    "spots/cells",
    "cells/xy",
    "cells/features",
    "cells/observed",
    "features/name",
    "genes/symbol",
  ],
  writes: [
    "cells/membership",
    "genes/profile",
    "spots/efficiency",
    "cells/counts",
    "genes/unassigned",
    "genes/heldout_pcc",
    "genes/reliable",
  ],
  params: z.strictObject({}),
  run() {
    return Promise.reject(new Error("Step 4 is being written"));
  },
});
