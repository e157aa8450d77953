import * as z from "zod";
import { defineStep } from "../../step.ts";

export const matrixIntegration = defineStep({
  number: 3,
  name: "Matrix Integration",
  weight: 15,
  version: 1,
  reads: [
    "sample/scale",
    "sample/segmentation",
    "spots/xy",
    "spots/in_tissue",
    "spots/total_counts",
    "cells/polygon",
    "cells/xy",
    "cells/area_um2",
  ],
  writes: ["spots/cells", "cells/spot", "cells/observed", "sample/bleed"],
  params: z.strictObject({}),
  run() {
    return Promise.reject(new Error("Step 3 is being written"));
  },
});
