import * as z from "zod";
import { PANEL_SIDE_PX } from "../../figures/tissue-panel.ts";
import { defineStep } from "../../step.ts";

const params = z.strictObject({
  neighbors: z.int().min(3).max(100).default(15).describe("Neighbors per cell in the UMAP"),
  minDist: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe("Minimum distance between cells in the UMAP"),
  maxDirect: z
    .int()
    .min(100)
    .default(50_000)
    .describe("Maximum number of cells laid out by UMAP itself; the others are placed among them"),
  figureSidePx: z
    .int()
    .min(100)
    .max(8000)
    .default(PANEL_SIDE_PX)
    .describe("Longer side of the tissue in figures, pixels"),
  geneFigures: z
    .int()
    .min(0)
    .max(50)
    .default(4)
    .describe("Maximum number of gene figures: one for each of the largest cell types"),
  markersPerGroup: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe("Genes listed per cluster, type, and domain"),
  permutations: z
    .int()
    .min(19)
    .max(10_000)
    .default(999)
    .describe("Permutations per test in an advanced analysis; fewer in very large samples"),
});
export type ProjectionParameters = z.infer<typeof params>;

/** Computes the embedding, markers, and spatial statistics, and writes the viewer files and figures. */
export const step = defineStep({
  id: "projection-analysis",
  version: 28,
  settings: ["analysisType", "staining", "seed"],
  inputs: ["hires", "lowres", "image"],
  reads: [
    "image/working_copy",
    "cells/X_pca",
    "cells/xy",
    "cells/polygon",
    "nuclei/polygon",
    "cells/cell_type",
    "cells/cluster",
    "cells/observed",
    "cells/evidence",
    "cells/image_quality",
    "cells/area_um2",
    "cells/nucleus_area_um2",
    "cells/confidence",
    "cells/type_margin",
    "cells/rate",
    "cells/rate_cv",
    "cells/counts",
    "cells/membership",
    "genes/profile",
    "genes/reliable",
    "genes/heldout_pcc",
    "genes/rate_cv",
    "genes/rate_source",
    "genes/unassigned",
    "types/name",
    "types/color",
    "spots/xy",
    "spots/cells",
    "genes/spots",
    "proteins/name",
    "spots/protein_counts",
    "cells/near_spot",
    "cells/near_weight",
    "spots/array",
    "spots/cluster",
    "spots/total_counts",
    "sample/scale",
    "sample/segmentation",
    "sample/image",
    "genes/name",
    "genes/symbol",
    "sample/typing",
  ],
  writes: [
    "cells/X_umap",
    "sample/markers",
    "genes/cluster_auc",
    "genes/type_auc",
    "cells/neighbors",
    "cells/domain",
    "sample/spatial_statistics",
    "sample/figures",
    "sample/tables",
    "sample/view",
  ],
  folders: ["figures"],
  params,
  run: async (context) => (await import("./run.ts")).run(context),
});
