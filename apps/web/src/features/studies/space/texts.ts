import type { Coloring } from "./color-points.ts";

export const SPACE_TEXTS = {
  title: "One space",
  text: "The cells or spots of all samples, placed by what they express.",
  of: { label: "Place", cells: "Cells", spots: "Spots" },
  on: { label: "By", counts: "Observed counts", rate: "Inferred rates" },
  start: "Place in one space",
  unsaved: "Save the design first.",
  twoNeeded: "Add a second sample to place both in one space.",
  computing: "Placing… This takes minutes with many cells. You can leave the page.",
  failed: "The samples could not be placed in one space.",
  refused: "No joint space",
  colorBy: "Color by",
  colorings: {
    sample: "Sample",
    condition: "Condition",
    type: "Cell type",
    cluster: "Cluster",
  } satisfies Record<Coloring, string>,
  before: "Before correction",
  after: "After correction",
  plot: (title: string, points: number, by: string): string =>
    `UMAP, ${title.toLowerCase()}: ${points.toLocaleString("en-US")} points colored by ${by.toLowerCase()}`,
  computedTypes: "Types are the computed ones, even where people renamed or assigned them.",
  legend: "Legend",
  none: "None",
  clusters: "Shares of the joint clusters",
  files: "Tables",
} as const;
