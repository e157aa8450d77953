import * as z from "zod";
import { defineStep } from "../../step.ts";

export const projectionAnalysis = defineStep({
  number: 6,
  name: "Projection Analysis & Visualization",
  weight: 15,
  version: 1,
  reads: [
    "cells/X_pca",
    "cells/xy",
    "cells/polygon",
    "cells/cell_type",
    "cells/cluster",
    "cells/observed",
    "types/name",
    "types/color",
    "spots/xy",
    "sample/scale",
    "sample/image",
    "genes/name",
  ],
  writes: ["cells/X_umap"],
  folders: ["figures"],
  params: z.strictObject({}),
  run() {
    return Promise.reject(new Error("Step 6 is being written"));
  },
});
