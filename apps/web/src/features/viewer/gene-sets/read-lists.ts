/** A list of genes as written. */
export interface WrittenList {
  name: string;
  genes: readonly string[];
}

export const MAX_LIST_GENES = 5000;
export const MAX_LISTS = 1000;
export const MAX_FILE_BYTES = 20_000_000;
const LONGEST_NAME = 80;
const LONGEST_GENE = 100;

/** What is wrong with a text of lists. */
export type ListFault =
  | { kind: "nothing" }
  | { kind: "notText" }
  | { kind: "longList"; name: string; genes: number }
  | { kind: "manyLists"; lists: number };

/**
 * Reads a GMT file (name, description, and genes, separated by tabs; a list per line) or one list of names, separated by
 * anything but letters, digits, and . - _. `called`: the name of a list without one.
 */
export function readLists(
  text: string,
  called: string,
): { lists: WrittenList[]; fault: null } | { lists: null; fault: ListFault } {
  const refused = (fault: ListFault) => ({ lists: null, fault });
  // A file of bytes, such as a compressed one.
  if (text.includes("\0") || text.includes("\uFFFD")) return refused({ kind: "notText" });
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const isGmt = lines.length > 0 && lines.every((line) => line.split("\t").length >= 3);
  const lists = (isGmt ? lines.map(gmtList) : [{ name: oneLine(called), genes: wordsOf(lines) }])
    .map(({ name, genes }) => ({ name, genes: [...new Set(genes)] }))
    .filter(({ genes }) => genes.length > 0);
  if (lists.length === 0) return refused({ kind: "nothing" });
  if (lists.length > MAX_LISTS) return refused({ kind: "manyLists", lists: lists.length });
  const long = lists.find(({ genes }) => genes.length > MAX_LIST_GENES);
  if (long) return refused({ kind: "longList", name: long.name, genes: long.genes.length });
  return { lists, fault: null };
}

function gmtList(line: string): WrittenList {
  const [name = "", , ...genes] = line.split("\t");
  // Some programs write a weight after each gene.
  const names = genes.map((gene) => gene.split(",")[0]!.trim());
  return { name: oneLine(name), genes: names.filter(isGene) };
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(/[^\p{L}\p{N}._-]+/u)).filter(isGene);
}

const isGene = (word: string): boolean => word !== "" && word.length <= LONGEST_GENE;

function oneLine(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
  return line.slice(0, LONGEST_NAME) || "List";
}
