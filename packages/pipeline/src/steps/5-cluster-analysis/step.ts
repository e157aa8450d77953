import * as z from "zod";
import { defineStep } from "../../step.ts";

export const clusterAnalysis = defineStep({
  number: 5,
  name: "Cluster Analysis",
  weight: 15,
  version: 1,
  reads: [
    "cells/membership",
    "genes/profile",
    "genes/name",
    "genes/symbol",
    "genes/reliable",
    "genes/heldout_pcc",
    "cells/xy",
    "sample/segmentation",
  ],
  writes: [
    "cells/cluster",
    "cells/cell_type",
    "cells/confidence",
    "cells/X_pca",
    "types/name",
    "types/color",
    "sample/typing",
  ],
  params: z.strictObject({}),
  run() {
    return Promise.reject(new Error("Step 5 is being written"));
  },
});
