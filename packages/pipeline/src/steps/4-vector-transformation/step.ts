import * as z from "zod";
import { defineStep } from "../../step.ts";

const params = z.strictObject({
  prototypes: z
    .int()
    .min(2)
    .max(64)
    .default(24)
    .describe("Maximum number of expression prototypes per fit"),
  gateGenes: z.int().min(10).default(500).describe("Number of genes used to train the gate"),
  gateSteps: z.int().min(0).max(200).default(45).describe("Number of training steps of the gate"),
  gateDecay: z
    .number()
    .positive()
    .default(0.5)
    .describe("Prior precision of the gate's weights per unit of information in a spot"),
  rounds: z
    .int()
    .min(1)
    .max(200)
    .default(15)
    .describe("Rounds of expectation–maximization for the profiles"),
  priorCells: z
    .number()
    .positive()
    .max(1e6)
    .default(5)
    .describe("Weight of the prior on profiles, in captured cells"),
  fits: z.int().min(1).max(4).default(1).describe("Number of fits averaged for each part"),
  blockPitches: z
    .number()
    .min(0.1)
    .max(1000)
    .default(5)
    .describe("Side of the held-out blocks of spots, in spot distances"),
  reliableCorrelation: z
    .number()
    .min(-1)
    .max(1)
    .default(0.25)
    .describe("Minimum held-out correlation of a reliable gene"),
  reliableCounts: z
    .int()
    .min(0)
    .default(50)
    .describe("Minimum UMIs for a gene's reliability to be assessed"),
});
export type ExpressionParameters = z.infer<typeof params>;

/** Infers expression of cells from counts of spots, and its reliability. */
export const step = defineStep({
  id: "vector-transformation",
  version: 53,
  settings: ["species", "tissue", "referenceLabels", "seed"],
  inputs: ["reference"],
  async check({ files, settings, signal }) {
    if (!files.reference) return;
    const { checkReference } = await import("../../reference/reference-outline.ts");
    await checkReference(files.reference, { labelColumn: settings.referenceLabels, signal });
  },
  reads: [
    "sample/scale",
    "sample/species",
    "sample/segmentation",
    "spots/xy",
    "spots/counts",
    "spots/X_pca",
    "spots/cells",
    "cells/xy",
    "cells/features",
    "features/name",
    "cells/observed",
    "cells/spot",
    "genes/symbol",
    "genes/id",
    "cells/fine_counts",
    "cells/fine_capture",
    "cells/fine_efficiency",
    "genes/fine_total",
    "genes/fine_unassigned",
  ],
  writes: [
    "cells/membership",
    "genes/profile",
    "spots/efficiency",
    "spots/exposure",
    "genes/spots",
    "genes/spot_total",
    "genes/excess",
    "cells/near_spot",
    "cells/near_weight",
    "cells/fine_exposure",
    "cells/near_fine",
    "cells/near_fine_weight",
    "cells/fine_total",
    "genes/fine_counts",
    "cells/counts",
    "genes/unassigned",
    "genes/heldout_pcc",
    "genes/reliable",
    "genes/cell_pcc",
    "genes/rate_source",
    "genes/rate_shape",
    "cells/rate_cv",
    "genes/rate_cv",
    "sample/expression",
    "sample/type_fit",
    "cells/type_posterior",
  ],
  params,
  run: async (context) => (await import("./run.ts")).run(context),
});
