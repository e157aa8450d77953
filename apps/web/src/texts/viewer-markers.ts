const whole = (count: number): string => count.toLocaleString("en-US");

/** Sentences of the table of markers. */
export const markerTexts = {
  by: "Markers of",
  kinds: { cell_type: "Types", cluster: "Clusters", domain: "Domains" },
  group: "Group",
  allGroups: { cell_type: "All types", cluster: "All clusters", domain: "All domains" },
  search: "Search the genes",
  searchPlaceholder: "Gene",
  reliableOnly: "Reliable genes only",
  caption: "Markers of each group: effect, share of cells, reliability",
  region: "Table of markers",
  none: "No marker matches. Choose all groups, clear the search, or include genes that are not reliable.",
  noTable: "This analysis has no markers: there were too few groups or cells to compare.",
  noReliable:
    "No marker of this sample is reliable. Treat the values as hints and don't interpret single genes.",
  tested: (cells: number, genes: number) =>
    `${whole(genes)} genes were compared over ${whole(cells)} cells, each group against all others.`,
  page: (from: number, to: number, all: number) => `${whole(from)}–${whole(to)} of ${whole(all)}`,
  previous: "Previous markers",
  next: "Next markers",
  colorBy: (gene: string) => `Color the cells by ${gene}`,
  sortBy: (column: string) => `Sort by ${column}`,
  yes: "yes",
  no: "no",
  unknown: "–",
  csv: "Table as CSV",
  moreInCsv: "The CSV file also has the AUC and the shares of cells.",
  loading: "Loading the markers…",
  failed: "The markers could not be loaded.",
  retry: "Try again",
  columns: {
    gene: "Gene",
    group: "Group",
    log2FoldChange: "log₂ FC",
    auc: "AUC",
    share: "% group",
    shareOthers: "% others",
    reliable: "Reliable",
  },
  explanations: {
    gene: "Click a gene to color the cells by it.",
    group: "The group that the gene marks.",
    log2FoldChange: "Log2 ratio of mean counts in the group over all other cells.",
    auc: "Probability that a cell of the group has more than a cell outside it. 0.5 means no difference.",
    share: "Share of the group's cells with a count of the gene.",
    shareOthers: "Share of all other cells with a count of the gene.",
    reliable:
      "Whether the gene has enough UMIs and is predicted well enough in held-out spots to trust its values.",
  },
} as const;
