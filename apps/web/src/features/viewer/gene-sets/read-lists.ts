import { tableText } from "../../../project/table-text.ts";
import { geneWords } from "../../../project/view/match-genes.ts";
import { oneLine } from "../state/free-names.ts";

/** A list of genes as written. */
export interface WrittenList {
  name: string;
  genes: readonly string[];
}

export const MAX_LIST_GENES = 5000;
export const MAX_LISTS = 1000;
export const MAX_FILE_BYTES = 20_000_000;
const LONGEST_GENE = 100;

/** What is wrong with a text of lists. */
export type ListFault =
  | { kind: "nothing" }
  | { kind: "notText" }
  | { kind: "longList"; name: string; genes: number }
  | { kind: "manyLists"; lists: number };

/** A file's text, also as spreadsheets write it ("Unicode text"). */
export async function textOfLists(file: Blob): Promise<string> {
  return (await tableText(file)) ?? file.text();
}

/**
 * Reads a GMT file (name, description, and genes, separated by tabs; a list per line), a table with a list in each column
 * under its name, or one list of names, separated as in `geneWords`; from a table of genes with their measures, the names.
 * `called`: the name of a list without one; `isKnown`: whether the sample has a gene.
 */
export function readLists(
  text: string,
  called: string,
  isKnown: (name: string) => boolean = () => false,
): { lists: WrittenList[]; fault: null } | { lists: null; fault: ListFault } {
  const refused = (fault: ListFault) => ({ lists: null, fault });
  // A file of bytes, such as a compressed one.
  if (text.includes("\0") || text.includes("\uFFFD")) return refused({ kind: "notText" });
  const lines = text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const rows = lines.map((line) => line.split("\t"));
  const written = hasGenesSideBySide(rows, isKnown)
    ? listsOfColumns(rows, isKnown)
    : isGmt(rows) && rows.map((row) => gmtList(row, isKnown));
  const lists = (written || [{ name: listName(called), genes: wordsOf(lines, isKnown) }])
    .map(({ name, genes }) => ({ name, genes: [...new Set(genes)] }))
    .filter(({ genes }) => genes.length > 0);
  if (lists.length === 0) return refused({ kind: "nothing" });
  if (lists.length > MAX_LISTS) return refused({ kind: "manyLists", lists: lists.length });
  const long = lists.find(({ genes }) => genes.length > MAX_LIST_GENES);
  if (long) return refused({ kind: "longList", name: long.name, genes: long.genes.length });
  return { lists, fault: null };
}

/** Lists may be empty, but not all. A fraction in place of a gene is a measure, as in a table of markers. */
function isGmt(rows: readonly (readonly string[])[]): boolean {
  return (
    rows.every(({ length }) => length >= 2) &&
    rows.some(({ length }) => length >= 3) &&
    !rows.some((row) => row.slice(2).some(isFraction))
  );
}

/** As cells that are copied from a spreadsheet have them. In GMT, a name and its description stand before the genes. */
function hasGenesSideBySide(
  rows: readonly (readonly string[])[],
  isKnown: (name: string) => boolean,
): boolean {
  const ofGenes = rows.filter(([first = ""]) => isKnown(first.trim()));
  return (
    2 * ofGenes.length >= rows.length &&
    ofGenes.some(([first, second = ""]) => second !== first && isKnown(second.trim()))
  );
}

/** Null if the columns have no names above their genes. */
function listsOfColumns(
  [names = [], ...rows]: readonly (readonly string[])[],
  isKnown: (name: string) => boolean,
): WrittenList[] | null {
  if (rows.length === 0 || names.some((name) => isKnown(name.trim()))) return null;
  return names.map((name, column) => {
    const genes = rows.map((row) => (row[column] ?? "").trim());
    return { name: listName(name), genes: genes.filter(isGene) };
  });
}

function gmtList(
  [name = "", , ...genes]: readonly string[],
  isKnown: (name: string) => boolean,
): WrittenList {
  // Some programs write a weight after each gene.
  const names = genes.map((gene) => (isKnown(gene.trim()) ? gene : gene.split(",")[0]!).trim());
  return { name: listName(name), genes: names.filter(isGene) };
}

function wordsOf(lines: readonly string[], isKnown: (name: string) => boolean): string[] {
  return lines
    .flatMap((line) => (isKnown(line.trim()) ? [line.trim()] : geneWords(line, isKnown)))
    .filter(isGene);
}

const isGene = (word: string): boolean =>
  word !== "" && word.length <= LONGEST_GENE && !isFraction(word);

const isFraction = (word: string): boolean => Number.isFinite(+word) && !Number.isInteger(+word);

const listName = (name: string): string => oneLine(name) || "List";
