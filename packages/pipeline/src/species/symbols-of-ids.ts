import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/**
 * Symbols of human and mouse genes by Ensembl ID: 22,190 IDs of human protein-coding genes and of those that this
 * package names, from Bioconductor's org.Hs.eg.db 3.16.0 (NCBI and Ensembl, 2022; Artistic-2.0), and 19,478 of the Visium
 * mouse probes, from a public sample (MIT), and of mitochondria. Made by scripts/make-gene-symbols.ts.
 */
const TABLE = new URL("./gene-symbols.tsv.gz", import.meta.url);

/** With a smaller share of genes that are called by their ID, the others have symbols. */
const MOSTLY_IDS = 0.5;
/** How IDs of a species begin, and how its symbols look to tell at a glance that they are not in the usual case. */
const USUAL = {
  human: { ids: "ENSG", symbols: /^[^a-z]*$/ },
  mouse: { ids: "ENSMUSG", symbols: /[a-z]/ },
} as const;

/** Whether genes have no symbols: names are human or mouse Ensembl IDs. O(genes). */
export function lackSymbols(symbols: readonly string[]): boolean {
  const ids = symbols.filter((symbol) => /^ENS(MUS)?G\d{11}/.test(symbol)).length;
  return symbols.length > 0 && ids >= MOSTLY_IDS * symbols.length;
}

/** Replaces IDs by symbols where the table has them; says how many. Reads 276 kB. O(genes). */
export async function symbolsOfIds(
  names: readonly string[],
): Promise<{ symbols: string[]; found: number }> {
  const symbolOf = new Map(await readTable());
  let found = 0;
  const symbols = names.map((name) => {
    const symbol = symbolOf.get(name.replace(/\.\d+$/, ""));
    found += Number(symbol !== undefined);
    return symbol ?? name;
  });
  return { symbols, found };
}

/**
 * The symbols in the case of the species (EPCAM, Epcam) where the table knows them, if most are in another one; else null.
 * O(genes).
 */
export async function inUsualCase(
  symbols: readonly string[],
  species: keyof typeof USUAL,
): Promise<string[] | null> {
  const { ids, symbols: looks } = USUAL[species];
  const asUsual = symbols.filter((symbol) => looks.test(symbol)).length;
  if (asUsual >= symbols.length / 2) return null;
  const table = (await readTable()).filter(([id]) => id.startsWith(ids));
  const known = new Map(table.map(([, symbol]) => [symbol.toUpperCase(), symbol]));
  return symbols.map((symbol) => known.get(symbol.toUpperCase()) ?? symbol);
}

/** IDs and symbols. */
async function readTable(): Promise<[id: string, symbol: string][]> {
  const text = (await promisify(gunzip)(await readFile(TABLE))).toString();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t") as [string, string]);
}
