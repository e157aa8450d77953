const whole = (count: number): string => count.toLocaleString("en-US");
const cells = (count: number): string => `${whole(count)} ${count === 1 ? "cell" : "cells"}`;

/** Sentences about selected cells, named groups and comparisons in the interactive view. */
export const selectionTexts = {
  tools: "Pointer",
  toolNames: { pan: "Move the view", lasso: "Lasso", rectangle: "Rectangle" },
  toolKeys: { pan: "V", lasso: "L", rectangle: "R" },
  combine: "What a region does",
  combineNames: {
    replace: "Replace the selection",
    add: "Add to the selection",
    subtract: "Take from the selection",
  },
  combineKeys: { replace: "", add: "Shift", subtract: "Alt" },
  combineShort: { replace: "Replace", add: "Add", subtract: "Subtract" },
  regionFailed: "The cells of the region could not be found. Draw it again.",
  selected: (count: number) => `${cells(count)} selected`,
  clear: "Clear the selection",
  keepOnly: (name: string) => `Keep only the selected cells of ${name}`,
  selectGroup: (name: string) => `Select the cells of ${name}`,

  /** Read out after each change of the selection. */
  summary: (count: number, parts: readonly { name: string; count: number }[], others: number) =>
    [
      `${cells(count)} selected: `,
      [
        ...parts.map((part) => `${whole(part.count)} ${part.name}`),
        ...(others > 0 ? [`${whole(others)} of other types`] : []),
      ].join(", "),
      ".",
    ].join(""),
  noneSelected: "No cells selected.",

  panel: {
    label: "Select",
    empty:
      "Draw around cells with the lasso (L) or the rectangle (R) in the tissue or the UMAP, or select whole groups below. Shift adds, Alt takes away.",
    ofAll: (count: number, all: number) => `${whole(count)} of ${cells(all)} selected`,
    share: (share: number) => `${(100 * share).toFixed(1)}% of all cells`,
    all: "All shown",
    allHint: "Select all shown cells",
    invert: "Invert",
    invertHint: "Select the shown cells that are not selected",
    clear: "Clear",
    undo: "Undo",
    undoHint: "Back to the selection before",
  },

  composition: {
    title: "Composition",
    by: "Composition by",
    column: { type: "Type", cluster: "Cluster", domain: "Domain" },
    caption: "Share of each group within the selection, and among all cells",
    within: "Selection",
    overall: "All cells",
    group: "Group",
    cells: "Cells",
    none: "None",
    more: (count: number) => `Show ${count} more`,
    fewer: "Show fewer",
    legend: "Bar: share within the selection. Line: share among all cells.",
  },

  measures: {
    title: "Medians",
    caption: "Median of each measure within the selection and of all cells",
    measure: "Measure",
    failed: "not loaded",
    none: "–",
  },

  groups: {
    title: "Groups",
    empty: "Save the selection under a name to keep it, compare it and export it.",
    colorBy: "Colour by groups",
    name: "Name of the group",
    color: "Colour of the group",
    save: "Save as group",
    defaultName: (number: number) => `Group ${number}`,
    saved: (name: string, count: number) => `${name} saved: ${cells(count)}.`,
    show: (name: string) => `Select the cells of ${name}`,
    edit: (name: string) => `Rename or recolour ${name}`,
    newName: (name: string) => `New name of ${name}`,
    newColor: (name: string) => `Colour of ${name}`,
    done: "Done",
    replace: (name: string) => `Put the selected cells into ${name} instead`,
    remove: (name: string) => `Remove ${name}`,
    removed: (name: string) => `${name} was removed.`,
    undo: "Undo",
    combine: "Combine",
    first: "First group",
    second: "Second group",
    how: "How they are combined",
    ways: {
      union: "or (union)",
      intersection: "and (intersection)",
      difference: "but not (difference)",
    },
    result: (count: number) => `${cells(count)} in the result`,
    select: "Select the result",
    choose: "Choose…",
  },

  choices: {
    selection: "Selection",
    current: "Current selection",
    groups: "Groups",
    type: "Cell types",
    cluster: "Clusters",
    domain: "Domains",
    rest: "All other cells",
    withCount: (name: string, count: number) => `${name} (${whole(count)})`,
  },

  export: {
    title: "Export",
    which: "Cells to export",
    selection: "Selection",
    all: "All cells",
    download: "Cells as CSV",
    writing: (share: number) => `Writing… ${Math.round(100 * share)}%`,
    failed: (reason: string) => `The table could not be written: ${reason}`,
    hint: "Names as in the other exports, with type, cluster, groups, place in µm, UMAP, measures and the values that colour the cells.",
  },

  compare: {
    label: "Compare",
    intro:
      "Which genes differ between two sets of cells? Wilcoxon's rank-sum test on the counts of cells that lie in spots.",
    first: "Cells (A)",
    second: "Compared with (B)",
    run: "Compare",
    cancel: "Cancel",
    running: (seconds: number) =>
      seconds < 2 ? "Comparing on the server…" : `Comparing on the server… ${seconds} s`,
    failed: (reason: string) => `The comparison failed: ${reason}`,
    noAnswer: "the server did not answer. Check your connection and try again.",
    same: "Every cell of B is in A too. Choose another set for B.",
    nothing: "Choose the cells of A first: select some, or take a group.",
    shared: (count: number) =>
      `${cells(count)} ${count === 1 ? "is" : "are"} in both sets and ${count === 1 ? "counts" : "count"} for A only.`,
    result: (a: string, b: string) => `${a} against ${b}`,
    entered: (a: number, b: number) =>
      `${cells(a)} of A and ${whole(b)} of B entered: those in spots with enough counts.`,
    sampled: "The larger side was sampled at random, always in the same way.",
    caution:
      "Groups that were chosen by expression (types, clusters, regions of the UMAP) differ by design: their p-values are too small. Judge by effect and by further samples.",
    whole: "Enlarge",
    wholeTitle: "Differential expression",
    empty: "No gene could be tested: the compared cells have no counts.",
  },

  table: {
    caption: "Genes by their difference between A and B",
    search: "Search the genes of the table",
    searchPlaceholder: "Gene",
    onlyBeyond: "Only beyond the thresholds",
    found: (count: number) => `${whole(count)} ${count === 1 ? "gene" : "genes"}`,
    none: "No gene fits.",
    colorBy: (gene: string) => `Colour the cells by ${gene}`,
    page: (from: number, to: number, all: number) => `${whole(from)}–${whole(to)} of ${whole(all)}`,
    previous: "Previous genes",
    next: "Next genes",
    region: "Table of genes; scroll sideways for all columns",
    sortBy: (column: string) => `Sort by ${column}`,
    yes: "yes",
    no: "no",
    meanings: "What the columns mean",
    csv: "Table as CSV",
    columns: {
      gene: "Gene",
      log2_fold_change: "log₂ FC",
      auc: "AUC",
      z: "z",
      pvalue: "p",
      fdr: "FDR",
      fraction_a: "% of A",
      fraction_b: "% of B",
      reliable: "Reliable",
    },
    explanations: {
      gene: "Click a gene to colour the cells by it.",
      log2_fold_change: "Binary logarithm of the ratio of mean expression: above 0 is more in A.",
      auc: "Effect size: the chance that a cell of A holds more than a cell of B. 0.5 is no difference.",
      z: "Rank-sum statistic, ties corrected.",
      pvalue: "Two-sided p-value of the rank-sum test.",
      fdr: "False discovery rate (Benjamini–Hochberg over all tested genes).",
      fraction_a: "Share of A's cells with a count of the gene.",
      fraction_b: "Share of B's cells with a count of the gene.",
      reliable:
        "Whether this sample has enough molecules of the gene, and predicts held-out spots well enough, to lean on its values.",
    },
  },

  volcano: {
    title: "Volcano plot",
    x: "log₂ fold change (A over B)",
    y: "−log₁₀ p",
    fdr: "FDR below",
    change: "|log₂ FC| at least",
    moreA: (count: number) => `More in A (${whole(count)})`,
    moreB: (count: number) => `More in B (${whole(count)})`,
    describe: (more: number, less: number, all: number) =>
      `Volcano plot of ${whole(all)} genes: ${whole(more)} more in A, ${whole(less)} more in B, beyond the thresholds. Arrow keys go from gene to gene, Enter colours the cells by one.`,
    gene: (gene: string, change: string, fdr: string) => `${gene}: log₂ FC ${change}, FDR ${fdr}`,
    save: { png: "PNG", svg: "SVG" },
    saveAs: {
      png: "Save the volcano plot as PNG",
      svg: "Save the volcano plot as SVG",
    },
    saveFailed: "The picture could not be written.",
  },
} as const;
