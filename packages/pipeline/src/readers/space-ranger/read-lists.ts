import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { faultOfFeatures } from "../counts/feature-faults.ts";
import { type FeatureType, type Genes, selectGenes } from "../counts/count-matrix.ts";
import { numberOf } from "../tables/cell-values.ts";
import { isIndex } from "../tables/plan-columns.ts";
import { mostCommon, type Separator } from "../tables/split-cells.ts";
import { isBlank, openTextTable } from "../tables/text-table.ts";

const SEPARATORS: readonly Separator[] = ["\t", ";", ",", " "];

/** Names of a column without a name of its own: V1, X0, 0. */
const UNNAMED = /^(|v\d+|x\d*|\d+|unnamed: ?\d+|\.\.\.\d+)$/i;

const EXCHANGED =
  "rename it (the names of barcodes and features seem to be exchanged), or take barcodes, features, and matrix from one filtered_feature_bc_matrix folder";

/** Reads barcodes.tsv(.gz): one per line, even after another program added names of rows or columns. */
export async function readBarcodes(path: string): Promise<string[]> {
  const file = basename(path);
  const table = await openList(path, "the list of barcodes", "barcodes.tsv.gz", SEPARATORS);
  const width = mostCommon(table.sample.map(({ cells }) => cells.length));
  const column = Math.max(
    0,
    Array.from({ length: width }, (_, i) => i).findIndex((i) => !isNumbers(table.sample, i)),
  );
  const cellOf = (cells: readonly string[]): string =>
    cells[column - Math.max(0, width - cells.length)] ?? "";
  const names = table.sample.map(({ cells }) => cellOf(cells));
  const hasHeader = names.length > 1 && isBarcodeHeader(names[0]) && !isBarcodeHeader(names[1]);
  if (mostly(names, isGeneId)) {
    throw new InputError(
      `${file} lists genes (such as ${names.at(-1)}), not barcodes: ${EXCHANGED}.`,
    );
  }
  const barcodes: string[] = [];
  let skip = hasHeader;
  for await (const { cells } of table.rows()) {
    if (!skip && !isBlank(cells)) barcodes.push(cellOf(cells));
    skip = false;
  }
  requireSome(file, barcodes.length, "barcodes");
  return barcodes;
}

function isBarcodeHeader(name: string): boolean {
  return (
    UNNAMED.test(name) || /^(barcodes?|cells?|cell_?ids?|spots?|spot_?ids?|names?)$/i.test(name)
  );
}

type Part = "id" | "symbol" | "type" | "genome";
const PARTS: readonly Part[] = ["id", "symbol", "type"];
const NAMES: Readonly<Record<string, Part>> = {
  id: "id",
  gene_id: "id",
  gene_ids: "id",
  geneid: "id",
  ensembl: "id",
  ensembl_id: "id",
  feature_id: "id",
  symbol: "symbol",
  gene_symbol: "symbol",
  gene_symbols: "symbol",
  gene_name: "symbol",
  gene_names: "symbol",
  genename: "symbol",
  feature_name: "symbol",
  name: "symbol",
  type: "type",
  feature_type: "type",
  feature_types: "type",
  genome: "genome",
};

/**
 * Reads features.tsv(.gz) or genes.tsv(.gz): id, symbol, and type, of which the last two may be missing; also with
 * names of rows or columns.
 */
export async function readFeatures(
  path: string,
  wanted: FeatureType = "Gene Expression",
): Promise<Genes> {
  const file = basename(path);
  const table = await openList(
    path,
    "the list of genes",
    "features.tsv.gz",
    // Names of genes and types of features contain blanks.
    SEPARATORS.slice(0, 3),
  );
  const { at, skip } = featureColumns(table.sample.map(({ cells }) => cells));
  const lists: Record<Part, string[]> = { id: [], symbol: [], type: [], genome: [] };
  let toSkip = skip;
  for await (const { cells } of table.rows()) {
    if (toSkip) toSkip = false;
    else if (!isBlank(cells)) {
      for (const part of Object.keys(lists) as Part[])
        lists[part].push(cells[at[part] ?? -1] ?? "");
    }
  }
  requireSome(file, lists.id.length, "genes");
  if (mostly(lists.id.slice(0, 1000), isBarcode)) {
    throw new InputError(
      `${file} lists barcodes (such as ${lists.id[0]}), not genes: ${EXCHANGED}.`,
    );
  }
  const odd = faultOfFeatures(lists.id, lists.symbol, lists.type, lists.genome);
  if (odd !== null) {
    throw new InputError(`${file} ${odd}: it is damaged; copy or upload it again.`);
  }
  const genes = selectGenes(lists.id, lists.symbol, lists.type, lists.genome, wanted);
  if (genes) return genes;
  const found = [...new Set(lists.type)].slice(0, 3).join(", ");
  throw new InputError(
    `${file} has no feature of the type ${wanted} (found: ${found}): use the filtered_feature_bc_matrix of the gene expression library.`,
  );
}

function featureColumns(rows: readonly string[][]): {
  at: Partial<Record<Part, number>>;
  skip: boolean;
} {
  const [first = [], ...others] = rows;
  const body = others.length > 0 ? others : rows;
  const width = mostCommon(body.map((cells) => cells.length));
  const shift = others.length > 0 && first.length === width - 1 ? 1 : 0;
  const names = [...(shift > 0 ? [""] : []), ...first].map((name) => name.toLowerCase());
  const at: Partial<Record<Part, number>> = {};
  names.forEach((name, i) => {
    const part = NAMES[plain(name)];
    if (part) at[part] ??= i;
  });
  const isName = (name: string): boolean =>
    UNNAMED.test(name) || plain(name) in NAMES || isIndex(name) || name === "gene";
  // Tables of genes have columns of any name besides that of the ids.
  const isHeader =
    at.id !== undefined || (names.every(isName) && !/^\d+$/.test(body[0]?.at(-1) ?? ""));
  const isNamed = others.length > 0 && isHeader;
  const numbered =
    width > 1 && body.every((cells, i) => Number(cells[0]) === Number(body[0][0]) + i);
  const start = numbered ? 1 : 0;
  if (!isNamed || Object.keys(at).length === 0) {
    PARTS.forEach((part, i) => {
      delete at[part];
      if (start + i < width) at[part] = start + i;
    });
  } else if (at.id === undefined) {
    // A table of genes whose row names are the ids or the only names.
    at.id = names.indexOf("gene") >= 0 ? names.indexOf("gene") : start;
  } else if (at.symbol === undefined && isIndex(names[0]) && !numbered) {
    at.symbol = 0;
  }
  const { id = 0, symbol } = at;
  const of = (place: number): string[] => body.map((cells) => cells[place] ?? "");
  if (symbol !== undefined && mostly(of(symbol), isGeneId) && !mostly(of(id), isGeneId)) {
    [at.id, at.symbol] = [symbol, id];
  }
  return { at, skip: isNamed };
}

function plain(name: string): string {
  return name.replace(/[^a-z0-9]+/g, "_");
}

function openList(
  path: string,
  what: string,
  name: string,
  separators: readonly Separator[],
): ReturnType<typeof openTextTable> {
  const remedy = `use ${name} from the filtered_feature_bc_matrix folder`;
  const wanted = { what, remedy };
  return openTextTable(path, { wanted, separators, usual: "\t" });
}

function requireSome(file: string, count: number, what: string): void {
  if (count > 0) return;
  throw new InputError(`${file} contains no ${what}: copy or upload it again.`);
}

function isNumbers(rows: readonly { cells: string[] }[], column: number): boolean {
  const body = rows.length > 1 ? rows.slice(1) : rows;
  return body.every(({ cells }) => !Number.isNaN(numberOf(cells[column] ?? "", ".")));
}

function mostly(texts: readonly string[], test: (text: string) => boolean): boolean {
  return texts.length > 0 && texts.filter(test).length > texts.length / 2;
}

function isGeneId(text: string): boolean {
  return /^([A-Za-z0-9.]+_+)?ENS[A-Z]*G\d{6,}/.test(text);
}

function isBarcode(text: string): boolean {
  return /^[ACGT]{14,}([-._]\d+)?$|^s_\d{3}um_\d/.test(text);
}
