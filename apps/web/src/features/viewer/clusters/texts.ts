import { counted } from "@stipple/contract/counted";

/** Sentences of the panel where users cluster cells. */
export const clusterTexts = {
  intro:
    "Cluster all or some of the cells again, with your own settings. You can use the result like types and clusters.",
  cells: "Cells",
  all: "All cells",
  by: "By",
  features: { rates: "Rates", counts: "Counts", looks: "Morphology" },
  hints: {
    rates: "Inferred expression of the most variable reliable genes.",
    counts: "Counted molecules of measured cells. The others get no cluster.",
    looks: "Size, shape, stain, and texture of cell and nucleus in the image.",
  },
  genes: "Genes",
  variableGenes: "The most variable ones",
  byGenes: (list: string) => `genes of ${list}`,
  resolution: "Resolution",
  resolutionHint: "Higher: more clusters.",
  badResolution: (least: number, most: number) => `Enter a number from ${least} to ${most}.`,
  divides: (group: string) => `The new clusters replace ${group}.`,
  run: "Cluster",
  cancel: "Cancel",
  progress: "Clustering",
  waiting: "Waiting for the server",
  found: (clusters: number, cells: number, wanted: number) =>
    `${counted(clusters, "cluster", "clusters")} of ${counted(cells, "cell", "cells")}${cells < wanted ? `; ${counted(wanted - cells, "cell has", "cells have")} too few counts of ${wanted - cells === 1 ? "its" : "their"} own.` : "."}`,
  failed: (reason: string) => `Error clustering the cells: ${reason}`,
  noAnswer: "the server didn't respond.",
  tooMany: (most: number) =>
    `A clustering can have at most ${most} groups: choose a lower resolution.`,
  nameOf: (cells: string, by: string, resolution: number) => `${cells}, ${by}, ${resolution}`,

  list: "Your clusterings",
  empty: "None yet.",
  groups: (n: number) => counted(n, "group", "groups"),
  show: (name: string) => `Show ${name}`,
  rename: (name: string) => `Rename ${name}`,
  newName: (name: string) => `New name of ${name}`,
  remove: (name: string) => `Delete ${name}`,
  removed: (name: string) => `Deleted ${name}.`,

  groupsOf: "Its groups",
  mark: (name: string) => `Mark ${name} for merging`,
  merge: (n: number) => (n < 2 ? "Merge marked groups" : `Merge ${n} groups`),
  recluster: (name: string) => `Cluster ${name} again`,
  markers: "Markers of these groups",

  agreement: "Agreement",
  first: "First grouping",
  second: "Second grouping",
  caption: (first: string, second: string) =>
    `Share of each group of ${first} in the groups of ${second}, percent`,
  rand: (value: string, cells: number) =>
    `Adjusted Rand index ${value} over ${counted(cells, "cell", "cells")} (1: identical groups, 0: agreement by chance).`,
  unknownRand: "The two have no cells in common.",
  cellsIn: "Cells",
  leftOut: (n: number) =>
    `${counted(n, "further group is", "further groups are")} in the file only.`,
  csv: "Save as CSV",
} as const;
