import { counted, whole } from "@stipple/contract/counted";

/** Sentences about comparisons of cells, their tables, and their plots. */
export const differentialTexts = {
  compare: {
    intro:
      "Find the genes that differ between two sets of cells. Effect sizes compare the counts of measured cells. P-values treat each spot or bin as one sample, because its cells share counts.",
    first: "Cells (A)",
    second: "Compared with (B)",
    run: "Compare",
    cancel: "Cancel",
    progress: "Progress of the comparison",
    waiting: "Waiting for the server",
    running: (done: number | null, seconds: number) =>
      [
        "Comparing on the server…",
        ...(done === null ? [] : [`${Math.floor(100 * done)}% of the genes`]),
        ...(seconds < 2 ? [] : [`${seconds} s`]),
      ].join(" · "),
    failed: (reason: string) => `The comparison failed: ${reason}`,
    noAnswer: "the server didn't respond. Check your connection and try again.",
    same: "Every cell of B is also in A. Choose another set for B.",
    nothing: "Choose the cells of A first: select some, or pick a group.",
    shared: (count: number) =>
      `${counted(count, "cell")} ${count === 1 ? "is" : "are"} in both sets and ${count === 1 ? "counts" : "count"} only for A.`,
    result: (a: string, b: string) => `${a} against ${b}`,
    entered: (a: number, b: number, spots: number) =>
      `${counted(a, "cell")} of A against ${whole(b)} of B: those with enough measured counts. The p-values are based on ${whole(spots)} spots or bins.`,
    sampled: "We picked cells of the larger side at random.",
    /** What to keep in mind, by how the cells were chosen. */
    cautions: {
      expression:
        "You chose these cells by their expression (a type, a cluster, or a region of the UMAP), so they differ by design and the p-values are too small. Judge by effect size and by replicate samples.",
      place:
        "You chose these cells by place. Regions can also differ in their mix of cell types, and neighboring places are alike. Confirm what you find in replicate samples.",
      quality:
        "These groups differ in how well their cells were measured. Don't take such differences for biology.",
      unknown:
        "If cells are chosen by their expression (a type, a cluster, or a region of the UMAP), they differ by design and the p-values are too small. Judge by effect size and by replicate samples.",
    },
    whole: "Enlarge",
    wholeTitle: "Differential expression",
    empty: "The compared cells have no counts, so there is no gene to test.",
  },

  table: {
    caption: "Genes ranked by the difference between A and B",
    search: "Search the genes of the table",
    searchPlaceholder: "Gene",
    onlyBeyond: "Only genes beyond the thresholds",
    found: (count: number) => counted(count, "gene"),
    none: "No gene matches.",
    previous: "Previous genes",
    next: "Next genes",
    region: "Table of genes; scroll sideways for all columns",
    meanings: "What the columns mean",
    columns: {
      gene: "Gene",
      log2_fold_change: "log₂ FC",
      auc: "AUC",
      t: "t",
      pvalue: "p",
      fdr: "FDR",
      fraction_a: "% of A",
      fraction_b: "% of B",
      reliable: "Reliable",
    },
    explanations: {
      gene: "Click a gene to color the cells by it.",
      log2_fold_change: "Log2 ratio of mean expression; above 0 means higher in A.",
      auc: "Effect size: the probability that a cell of A has more of the gene than a cell of B. 0.5 means no difference.",
      t: "Student's t of the rank correlation, over spots or bins, between the gene's share of UMIs and A's share of cells. If t and the fold change have opposite signs, the gene counts for neither side.",
      pvalue:
        "Two-sided p-value over spots or bins. Neighbors are alike, so be careful with values near the threshold.",
      fdr: "False discovery rate (Benjamini–Hochberg over all tested genes).",
      fraction_a: "Share of A's cells in which the gene was counted.",
      fraction_b: "Share of B's cells in which the gene was counted.",
      reliable:
        "Whether you can trust the gene's values: it has enough counts, and the model predicts its held-out counts well.",
    },
  },

  volcano: {
    title: "Volcano plot",
    x: "log₂ fold change (A over B)",
    oneSided: "at the edge: present on one side only",
    y: "−log₁₀ p",
    fdr: "FDR below",
    change: "|log₂ FC| at least",
    moreA: (count: number) => `More in A (${whole(count)})`,
    moreB: (count: number) => `More in B (${whole(count)})`,
    describe: (more: number, less: number, all: number) =>
      `Volcano plot of ${whole(all)} genes: ${whole(more)} more in A, ${whole(less)} more in B, beyond the thresholds. The table has the same genes.`,
    gene: (gene: string, change: string, fdr: string) => `${gene}\nlog₂ FC ${change}, FDR ${fdr}`,
  },
} as const;
