import { counted } from "@stipple/contract/counted";

/** Sentences of the table of markers. */
export const markerTexts = {
  by: "Markers of",
  kinds: { cell_type: "Types", cluster: "Clusters", domain: "Domains", own: "Own" },
  group: "Group",
  allGroups: {
    cell_type: "All types",
    cluster: "All clusters",
    domain: "All domains",
    own: "All own clusters",
  },
  search: "Search the genes",
  searchPlaceholder: "Gene",
  reliableOnly: "Reliable genes only",
  caption: "Markers of each group: effect, share of cells, reliability",
  region: "Table of markers",
  none: "No markers match. Choose all groups, clear the search, or include unreliable genes.",
  noTable: "This analysis has no markers: there were too few groups or cells to compare.",
  noReliable:
    "None of these markers is reliable in this sample. Treat the values as hints, and don't interpret single genes.",
  tested: (cells: number, genes: number) =>
    `${counted(genes, "gene")} compared in ${counted(cells, "cell")}: each group against all other cells.`,
  previous: "Previous markers",
  next: "Next markers",
  unknown: "–",
  moreInCsv: "The CSV file also has the AUC and the shares of cells.",
  loading: "Loading the markers…",
  comparing: "Comparing the groups…",
  ownFailed: (reason: string) => `Error finding markers: ${reason}`,
  noAnswer: "the server didn't respond.",
  failed: "The markers didn't load.",
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
    share: "Share of the group's cells in which the gene was counted.",
    shareOthers: "Share of all other cells in which the gene was counted.",
    reliable:
      "Whether you can trust the gene's values: it has enough counts, and the model predicts its held-out counts well.",
  },
} as const;
