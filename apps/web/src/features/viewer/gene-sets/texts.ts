import { counted, whole } from "@stipple/contract/counted";

const SPECIES = { human: "human (CD3E)", mouse: "mouse (Cd3e)" } as const;

/** Sentences of the panel with gene lists. */
export const geneSetTexts = {
  intro: "Paste genes, or drop GMT files or lists anywhere in this box.",
  text: "Genes or GMT lines",
  placeholder: "CD3D, CD3E, TRAC …",
  name: "Name of the list",
  defaultName: (number: number) => `List ${number}`,
  add: "Add",
  file: "Choose a file",
  added: (lists: number, known: number, all: number) =>
    `${counted(lists, "list", "lists")} added; the sample has ${whole(known)} of ${counted(all, "gene", "genes")}.`,
  faults: {
    nothing: (what: string) => `${what} has no genes: enter gene names, or choose a GMT file.`,
    notText: (what: string) => `${what} is not text: unpack it, or choose a GMT file or a list.`,
    tooLarge: (what: string, most: string) =>
      `${what} is larger than ${most}: choose a smaller collection.`,
    longList: (name: string, genes: number, most: number) =>
      `“${name}” has ${whole(genes)} genes, more than ${whole(most)}: shorten it.`,
    manyLists: (lists: number, most: number) =>
      `That would be ${whole(lists)} lists, more than ${whole(most)}: choose a smaller collection.`,
  },
  pasted: "The text",
  otherSpecies: (list: "human" | "mouse", sample: "human" | "mouse") =>
    `These genes are written as in ${SPECIES[list]}, the sample's as in ${SPECIES[sample]}: they were matched regardless of case, which is wrong where orthologs have other names.`,

  lists: "Your lists",
  empty: "None yet.",
  search: "Search the lists",
  known: (known: number, all: number) => `${whole(known)} of ${whole(all)}`,
  knownTitle: "Genes that the sample has, of all in the list",
  missing: (names: readonly string[]) =>
    `Not in this sample: ${names.slice(0, 40).join(", ")}${names.length > 40 ? ` and ${whole(names.length - 40)} more` : ""}.`,
  color: (name: string) => `Color the cells by the score of ${name}`,
  remove: (name: string) => `Delete ${name}`,
  removed: (name: string) => `Deleted ${name}.`,
  scoreOf: (most: number, all: number) =>
    `The score takes the first ${whole(most)} of ${whole(all)} genes.`,
  noneKnown: (name: string) => `The sample has no gene of ${name}.`,
  more: (n: number) => `${counted(n, "further list", "further lists")}: search to find them.`,

  account: {
    title: "In your account",
    genes: (genes: number) => counted(genes, "gene", "genes"),
    keep: (name: string) => `Keep ${name} in your account`,
    keepAgain: (name: string) => `Replace ${name} in your account`,
    kept: (name: string) => `${name} is in your account: remove it there`,
    use: (name: string) => `Add ${name} to this project`,
    remove: (name: string) => `Remove ${name} from your account`,
    failed: "Your account's gene lists could not be changed.",
  },

  enrichment: "Lists in a table of genes",
  enrichmentHint:
    "Tests whether a table contains more genes of a list than expected by chance, given all genes that the table tested.",
  table: "Genes",
  comparisonUp: (a: string) => `Comparison: higher in ${a}`,
  comparisonDown: (b: string) => `Comparison: higher in ${b}`,
  markersOf: (kind: "type" | "cluster" | "domain", group: string) =>
    `Markers of ${kind === "type" ? "" : `${kind} `}${group}`,
  markersOfOwn: (clustering: string, group: string) => `Markers of ${group} (${clustering})`,
  noTables: "Compare two sets of cells, or open the markers first.",
  background: (chosen: number, background: number) =>
    `${counted(chosen, "gene", "genes")} of ${whole(background)} tested ones, the background.`,
  noneChosen: "The table has no gene below its thresholds.",
  reliableBackground:
    "Markers: FDR below 5% and higher in the group; the background is all reliable genes.",
  columns: { name: "List", shared: "Genes", fold: "× chance", p: "p", fdr: "FDR" },
  sharedOf: (shared: number, size: number) => `${whole(shared)} of ${whole(size)}`,
  caption: "Lists, most enriched in the table first",
  mostShown: (shown: number, all: number) =>
    `The first ${whole(shown)} of ${whole(all)} lists; the file has all.`,

  similar: "Genes like this one",
  similarHint:
    "The 50 genes whose values correlate most with those of one gene over the cells. Rates are smooth, so their correlations are high; counts are noisy, so theirs are low. Compare correlations only within one list.",
  gene: "Gene",
  find: "Find",
  finding: "Correlating…",
  similarFailed: (reason: string) => `Error finding genes: ${reason}`,
  overCells: (cells: number) => `Correlation over ${counted(cells, "cell", "cells")}.`,
  keep: "Keep as a list",
  likeName: (gene: string) => `Like ${gene}`,
} as const;
