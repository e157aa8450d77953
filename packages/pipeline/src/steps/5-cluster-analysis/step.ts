import { CLUSTER_RESOLUTION } from "@stipple/contract/routes/exploring";
import * as z from "zod";
import { defineStep } from "../../step.ts";

const params = z.strictObject({
  components: z.int().min(2).max(50).default(20).describe("Number of principal components"),
  maxGenes: z
    .int()
    .min(50)
    .max(5000)
    .default(600)
    .describe("Number of most variable genes used for the components"),
  neighbors: z.int().min(2).max(200).default(15).describe("Neighbors per cell in the graph"),
  resolution: z
    .number()
    .positive()
    .max(CLUSTER_RESOLUTION.most)
    .default(1)
    .describe("Clustering resolution: higher values give more clusters"),
  maxSketch: z
    .int()
    .min(1000)
    .default(60_000)
    .describe("Maximum number of cells in the graph; the others join the nearest cluster"),
  markersPerCluster: z.int().min(1).default(25).describe("Genes listed per cluster"),
  typeBeyondReach: z
    .boolean()
    .default(false)
    .describe("Whether to assign types to cells beyond the reach of every spot"),
});
export type ClusterParameters = z.infer<typeof params>;

/** Clusters cells by expression and names them with markers or a reference. */
export const step = defineStep({
  id: "cluster-analysis",
  version: 60,
  settings: ["species", "tissue", "referenceLabels", "seed"],
  inputs: ["reference"],
  reads: [
    "cells/rate",
    "cells/membership",
    "genes/profile",
    "genes/id",
    "genes/name",
    "genes/symbol",
    "genes/reliable",
    "genes/heldout_pcc",
    "genes/spots",
    "spots/counts",
    "cells/counts",
    "spots/barcode",
    "cells/evidence",
    "cells/features",
    "features/name",
    "sample/scale",
    "sample/species",
    "sample/segmentation",
    "sample/expression",
    "sample/type_fit",
    "cells/type_posterior",
  ],
  writes: [
    "cells/cluster",
    "cells/cell_type",
    "cells/confidence",
    "cells/type_margin",
    "cells/X_pca",
    "spots/proportion",
    "spots/proportion_low",
    "spots/proportion_high",
    "clusters/tables",
    "types/name",
    "types/color",
    "sample/typing",
  ],
  params,
  run: async (context) => (await import("./run.ts")).run(context),
});
