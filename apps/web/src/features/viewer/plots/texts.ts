import { counted, whole } from "@stipple/contract/counted";
import { viewerTexts } from "../texts.ts";

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Sentences of the plots in the interactive view. */
export const plotTexts = {
  plot: "Plot",
  cellPlots: "Expression and measures",
  tissuePlots: "Tissue statistics",
  plots: {
    violin: "Violins by group",
    dots: "Dot plot",
    heatmap: "Heatmap",
    histogram: "Histogram",
    enrichment: "Neighborhood enrichment",
    coOccurrence: "Co-occurrence",
    ligands: "Ligands and receptors",
    domains: "Spatial domains",
    moran: "Moran's I",
  },
  enlarge: "Enlarge",
  loading: "Computing…",
  loadingStatistics: "Loading the statistics…",
  loadingGenes: (done: number, all: number) => `Reading genes: ${done} of ${all}…`,
  failed: "We couldn't draw the plot: the server didn't respond.",
  failedBecause: (reason: string) => `We couldn't draw the plot: ${reason}`,
  computingFailed: "We couldn't compute the plot. Choose it again, or reload the page.",
  retry: "Try again",

  groupBy: "Groups",
  groupings: {
    ...viewerTexts.groupLists,
    named: "Your groups",
    none: "All cells together",
  },
  byGroup: {
    type: "by cell type",
    cluster: "by cluster",
    domain: "by domain",
    own: "by own cluster",
    named: "by group",
    none: "",
  },
  scope: "Cells",
  scopes: { shown: "Shown cells", all: "All cells", selection: "Selected cells" },
  cellsOf: {
    shown: (n: number) => counted(n, "shown cell", "shown cells"),
    all: (n: number) => counted(n, "cell", "cells"),
    selection: (n: number) => counted(n, "selected cell", "selected cells"),
  },
  inSpots: "with counts",
  allCells: "All cells",
  values: "Values",
  valueKinds: { gene: "Gene", score: "Gene set", measure: "Measure" },
  logarithm: "Logarithmic axis, log10(1 + value)",
  logAxis: "log10(1 + value)",
  linearAxis: "Some values are below 0, which has no logarithm here, so the axis is linear.",
  bins: "Bins",
  stacked: "Stacked",
  sideBySide: "Separate",
  arrangement: "Groups in the histogram",
  genes: "Genes",
  geneSources: { markers: "Markers", set: "Gene set", list: "List" },
  markersAGroup: "Top markers of each group",
  addGene: "Add a gene",
  coloredAs: "Color",
  asMeasured: "Mean",
  asStandardized: "Standardized",

  noGene: "Choose a gene to see how it differs between groups.",
  noSet: "There is no gene set yet. Choose “Gene set” under “Color by” and add genes.",
  noGenes: "No genes chosen yet. Add some by name.",
  noMarkersOfThese:
    "These groups have no markers. Group by cell type or cluster, or choose genes under “List”.",
  noMarkersFewGroups:
    "Markers compare a group with the others, and this sample has fewer than two groups of this kind. Choose genes under “List”.",
  noMarkersFound:
    "No gene tells these groups apart in this sample. Group by something else, or choose genes under “List”.",
  noMarkersHigher:
    "No gene is higher in one of the shown groups than in all others. Show more groups, or choose genes under “List”.",
  noNamed: "You haven't named any groups yet. Select cells and save them as a group.",
  noSelection: "No cells are selected. Draw around cells with the lasso, or choose all cells.",
  noCells: "No cells are left to plot. Show some groups again, or choose all cells.",
  noObserved:
    "None of these cells has counts, because nothing was measured there. Choose more cells, or the inferred rates.",
  noMeasure: (name: string) =>
    `“${name}” cannot be shown: the project has no such region or protein. Choose another measure.`,
  noNumbers: "None of these cells has a value for this measure.",
  firstGenes: (shown: number, all: number) =>
    `The first ${shown} of ${whole(all)} genes. More would be too small to read.`,
  overlap: "Your groups may overlap: a cell counts in every group it belongs to.",

  asTable: "Show as table",
  asPlot: "Show as plot",
  tableOf: (title: string) => `Table of ${title}`,
  firstRows: (shown: number, all: number) =>
    `The first ${shown} of ${whole(all)} rows. The CSV file has all of them.`,
  saveAs: (kind: "png" | "svg" | "csv") =>
    ({ png: "Save as PNG", svg: "Save as SVG", csv: "Save the numbers as CSV" })[kind],
  saveFailed: "The browser couldn't save the file.",
  scrollable: "Plot; scroll it sideways with the arrow keys",
  source: (project: string) => `${project}, made with Stipple`,
  colored: (gene: string) => `The cells are colored by ${gene}.`,
  lookAtCells: "Show the cells",

  meanOf: (kind: string) => `Mean, ${kind.toLowerCase()}`,
  standardizedMean: "Mean, in standard deviations from the groups' average",
  fractionAbove: { rate: "Share above the gene's mean", counts: "Share above 0" },
  percent: (share: number) => `${Math.round(100 * share)}%`,

  violin: {
    title: (name: string, by: string) => `${name} ${by}`.trim(),
    groupLine: (cells: number, zeros: number) => `${counted(cells, "cell")}, ${zeros}% zero`,
    tip: (
      name: string,
      facts: { cells: number; zeros: string; mean: string; median: string; q1: string; q3: string },
    ) =>
      `${name}\n${counted(facts.cells, "cell")}, ${facts.zeros} zero\nmedian ${facts.median}, mean ${facts.mean}\nmiddle half ${facts.q1} to ${facts.q3}`,
    shape: "Density (all shapes are equally wide)",
    quartiles: "Quartiles",
    medianSign: "Median",
    few: (least: number) => `Groups of fewer than ${least} cells have no shape.`,
    summary: (name: string, high: string, highest: string, low: string, lowest: string) =>
      `The median of ${name} is highest in ${high} (${highest}) and lowest in ${low} (${lowest}).`,
    summaryOne: (name: string, median: string, q1: string, q3: string) =>
      `The median of ${name} is ${median}; half of the cells are between ${q1} and ${q3}.`,
    allAlike: (name: string, value: string) => `The median of ${name} is ${value} in every group.`,
    missing: (n: number) =>
      `${counted(n, "cell has", "cells have")} no value and ${n === 1 ? "is" : "are"} left out.`,
    columns: [
      "Group",
      "Cells",
      "Share of zeros",
      "Mean",
      "Minimum",
      "Lower quartile",
      "Median",
      "Upper quartile",
      "Maximum",
      "Without a value",
    ],
  },
  histogram: {
    title: (name: string, by: string) => `Histogram of ${name} ${by}`.trim(),
    cells: "Cells",
    percentOfGroup: "Percent of the group's cells",
    tip: (name: string, from: string, to: string, cells: number, share: string) =>
      `${name}\n${from} to ${to}\n${counted(cells, "cell", "cells")} (${share} of the group)`,
    summary: (name: string, from: string, to: string, share: string) =>
      `${share} of the cells are in the largest bin of ${name}, ${from} to ${to}.`,
    columns: ["Group", "From", "To", "Cells", "Share of the group"],
  },
  matrix: {
    dotTitle: (genes: number, by: string) => `${counted(genes, "gene", "genes")} ${by}`.trim(),
    tip: (gene: string, group: string, lines: readonly string[]) =>
      `${gene} in ${group}\n${lines.join("\n")}`,
    meanLine: (mean: string) => `mean ${mean}`,
    scoreLine: (z: string) => `${z} standard deviations`,
    fractionLine: {
      rate: (percent: string) => `above the gene's mean in ${percent} of the cells`,
      counts: (percent: string) => `above 0 in ${percent} of the cells`,
    },
    summary: (pairs: readonly string[]) => `Each group's highest gene: ${pairs.join("; ")}.`,
    oneGroup: "Standardized values need at least two groups; with one group they are all 0.",
    columns: ["Gene", "Group", "Cells", "Mean", "Standardized", "Share above 0", "Reliable"],
  },

  basic: "Basic doesn't include this plot.",
  basicOwner:
    "Run the project again as Advanced to add it. You don't need to upload anything, and this won't use one of your analyses.",
  toAdvanced: "Change to Advanced",
  nullTable: "This sample has too few cells or reliable genes for this plot.",
  notes: "Notes from the analysis",
  noRows:
    "No pairs match. Choose all senders and receivers, or include pairs that aren't significant.",
  tested: (cells: number) =>
    `${counted(cells, "observed cell", "observed cells")} with enough counts`,
  enrichment: {
    title: "Neighborhood enrichment",
    subtitle: (cells: string, permutations: number) =>
      `z-scores against ${whole(permutations)} shuffles of the types; ${cells}`,
    legend: "z-score: how much more or less often two types are neighbors than chance predicts",
    tip: (from: string, to: string, z: string, edges: number) =>
      `${from} beside ${to}\nz-score ${z}\n${counted(edges, "contact", "contacts")}`,
    none: "no value (the types never vary)",
    summary: (most: readonly string[], least: readonly string[]) =>
      [
        most.length > 0
          ? `Neighbors more often than chance predicts: ${listed(most)}.`
          : "No two different types are neighbors more often than chance predicts.",
        ...(least.length > 0 ? [`Less often: ${listed(least)}.`] : []),
      ].join(" "),
    pair: (a: string, b: string, z: string) => `${a} and ${b} (${z})`,
    columns: ["Type", "Neighbor", "z-score", "Contacts"],
  },
  coOccurrence: {
    around: "Around cells of type",
    title: (type: string) => `Types around ${type} cells`,
    subtitle: (centers: number, all: number) =>
      centers < all
        ? `counted around ${whole(centers)} of ${whole(all)} observed cells, picked at random`
        : `counted around ${counted(all, "observed cell", "observed cells")}`,
    x: "Within (µm)",
    y: "Times as often as overall",
    tip: (name: string, times: string, um: string, type: string) =>
      `${name}\n${times} × as often as overall\nwithin ${um} µm of ${type} cells`,
    summary: (um: string, near: readonly string[], far: readonly string[]) =>
      [
        near.length > 0
          ? `Within ${um} µm, more often than overall: ${listed(near)}.`
          : `Within ${um} µm, no type is more frequent than overall.`,
        ...(far.length > 0 ? [`Less often: ${listed(far)}.`] : []),
      ].join(" "),
    times: (name: string, times: string) => `${name} (${times} ×)`,
    noPairs: "No cells of this type have neighbors.",
    columns: ["Around", "Type", "Within (µm)", "Times as often"],
  },
  ligands: {
    title: "Ligand–receptor pairs between neighboring cells",
    subtitle: (tested: number, known: number, permutations: number) =>
      `${whole(tested)} of ${whole(known)} known pairs, those with reliable genes; ${whole(permutations)} shuffles`,
    sender: "Senders",
    receiver: "Receivers",
    anyType: "All types",
    significantOnly: "Only FDR below 0.05",
    mostPairs: "Pairs shown",
    pair: (ligand: string, receptor: string) => `${ligand} → ${receptor}`,
    types: (sender: string, receiver: string) => `${sender} → ${receiver}`,
    size: "−log10 FDR",
    color: "Score: mean product of ligand and receptor over neighbors",
    tip: (pair: string, types: string, score: string, fdr: string, edges: number) =>
      `${pair}\n${types}\nscore ${score}, FDR ${fdr}\n${counted(edges, "contact", "contacts")}`,
    outlined: "FDR below 0.05",
    summary: (shown: number, all: number, best: string) =>
      `${whole(shown)} of ${counted(all, "combination matches", "combinations match")}. The strongest: ${best}.`,
    best: (pair: string, types: string, fdr: string) => `${pair}, ${types} (FDR ${fdr})`,
    columns: [
      "Ligand",
      "Receptor",
      "Sender",
      "Receiver",
      "Score",
      "Mean",
      "z-score",
      "p",
      "FDR",
      "Contacts",
    ],
  },
  domains: {
    title: "Cell types in each spatial domain",
    subtitle: (cells: number) => counted(cells, "cell", "cells"),
    share: "Percent of the domain's cells",
    tip: (domain: string, type: string, share: string, cells: number) =>
      `${domain}\n${type}: ${share} (${counted(cells, "cell", "cells")})`,
    groupLine: (cells: number) => counted(cells, "cell", "cells"),
    summary: (parts: readonly string[]) => `Largest type of each domain: ${parts.join("; ")}.`,
    part: (domain: string, type: string, share: string) => `${domain}: ${type} (${share})`,
    columns: ["Domain", "Cells of the domain", "Type", "Share", "Cells"],
    triedTitle: "How well each number of domains explains the tissue",
    triedSubtitle: "log likelihood per cell, minus one per free parameter; higher is better",
    triedX: "Number of domains",
    triedY: "Score",
    chosen: "chosen",
    triedTip: (n: number, score: string) => `${n} domains\nscore ${score}`,
    triedSummary: (chosen: number, tried: readonly number[]) =>
      `${counted(chosen, "domain explains", "domains explain")} the tissue best, of ${listed(tried.map(String))} tried.`,
    triedColumns: ["Number of domains", "Score", "Chosen"],
  },
  moran: {
    title: "Genes with a spatial pattern",
    subtitle: (genes: number, cells: string) =>
      `Moran's I of ${counted(genes, "reliable gene", "reliable genes")}; ${cells}`,
    most: "Genes shown",
    x: "Moran's I",
    tip: (gene: string, i: string, z: string, fdr: string) =>
      `${gene}\nI ${i}, z ${z}\nFDR ${fdr}\nClick to color the cells by it`,
    filled: "FDR below 0.05",
    hollow: "FDR 0.05 or more",
    summary: (significant: number, all: number, best: readonly string[]) =>
      `${whole(significant)} of ${counted(all, "gene")} ${significant === 1 ? "shows" : "show"} a spatial pattern at FDR below 0.05. The strongest: ${listed(best)}. Choose a gene to color the cells by it.`,
    columns: ["Gene", "Moran's I", "z", "p (normal)", "FDR", "p (shuffles)"],
  },
} as const;
