import * as z from "zod";
import { defineStep } from "../../step.ts";

export const morphologicalAnalysis = defineStep({
  number: 2,
  name: "Morphological Analysis",
  weight: 15,
  version: 1,
  reads: [
    "sample/scale",
    "sample/image",
    "spots/xy",
    "image/stain",
    "image/tissue_mask",
    "image/tissue",
  ],
  writes: [
    "nuclei/polygon",
    "cells/polygon",
    "cells/xy",
    "cells/area_um2",
    "cells/nucleus_area_um2",
    "cells/features",
    "features/name",
    "sample/segmentation",
  ],
  params: z.strictObject({}),
  run() {
    return Promise.reject(new Error("Step 2 is being written"));
  },
});
