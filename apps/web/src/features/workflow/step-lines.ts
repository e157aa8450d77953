import type { StepId } from "@stipple/contract/steps";

/** What each step does, in one plain line. */
export const STEP_LINES: Readonly<Record<StepId, string>> = {
  "feature-initialization":
    "Reads your files, checks that they fit together, and clusters the spots.",
  "optical-decomposition": "Separates the stains in the image and finds the tissue.",
  "morphological-analysis": "Finds nuclei, draws cell outlines, and measures each cell.",
  "matrix-integration": "Works out how much each spot captures of each cell.",
  "vector-transformation":
    "Estimates the expression of each cell, and tests it on spots set aside.",
  "cluster-analysis": "Groups similar cells and names their types.",
  "projection-analysis":
    "Finds markers, lays out the UMAP, and prepares figures and the interactive view.",
  finalization: "Writes the report and all files to download.",
};
