import { guessSpecies, type Species } from "../species/guess-species.ts";
import { lackSymbols, symbolsOfIds } from "../species/symbols-of-ids.ts";
import type { ReferenceDescription } from "@stipple/contract/kept-reference";
import { indexSymbols } from "../types/resolve-sets.ts";
import { describedIn, readCondensed } from "./condensed-reference.ts";
import type { H5adFile, H5adMatrix } from "./h5ad-file.ts";
import { outlineOf, surveyOf, withReference } from "./reference-outline.ts";
import { ENOUGH } from "../model/constants.ts";
import { REFERENCE_FILE } from "../model/limits.ts";

const SYMBOL_COLUMNS =
  "feature_name gene_symbol gene_symbols gene_name gene_names gene_short_name symbol".split(" ");

/** Mean expression of labels. */
export interface LabelProfiles {
  /** One each, in alphabetical order. */
  labels: readonly string[];
  /** Genes in the data that the reference contains, in any order. */
  genes: Uint32Array;
  /** Labels × genes: share of a cell's UMIs. */
  profiles: Float64Array;
}

/** A reference's labels in the genes that it shares with the data. */
export interface Reference extends LabelProfiles {
  /** Of a condensed reference. */
  description: ReferenceDescription | null;
}

export interface ReferenceQuery {
  file: string;
  /** obs column with the labels; common names are tried if omitted. A condensed reference has only one. */
  labelColumn?: string | undefined;
  symbols: readonly string[];
  ids: readonly string[];
  species: Species;
  /** 1 = the gene has counts in the data. */
  counted: Uint8Array;
  signal: AbortSignal;
}

/**
 * Reads a reference of labeled cells from an h5ad file, slice by slice: layers/counts, otherwise raw/X, otherwise X; or a
 * condensed one. Memory: labels × shared genes. Throws {@link InputError} if there are no labels, fewer than two labels, hardly any
 * shared genes, scaled values, or another species.
 */
export async function readReference(query: ReferenceQuery): Promise<Reference> {
  return withReference(query.file, async (h5ad) => {
    const description = describedIn(h5ad);
    const { genes, labels, shares } = await (description
      ? profilesOf(h5ad, description, query)
      : cellsOf(h5ad, query));
    return { labels, genes: genes.ofData, profiles: shares, description };
  });
}

/** What is read of a reference in the shared genes: labels × genes. */
interface SharedMeans {
  genes: SharedGenes;
  labels: readonly string[];
  shares: Float64Array;
}

async function cellsOf(h5ad: H5adFile, query: ReferenceQuery): Promise<SharedMeans> {
  const { matrix, table, labels, labelOf } = outlineOf(h5ad, query.labelColumn);
  const genes = await sharedGenes(h5ad, table, query);
  const part = { labelOf, nLabels: labels.length, genes, signal: query.signal };
  return { genes, labels, shares: await meanShares(h5ad, matrix, part) };
}

async function profilesOf(
  h5ad: H5adFile,
  description: ReferenceDescription,
  query: ReferenceQuery,
): Promise<SharedMeans> {
  const { labels } = description;
  const genes = await sharedGenes(h5ad, "var", query);
  const share = await readCondensed(h5ad, description);
  const width = genes.ofData.length;
  const shares = new Float64Array(labels.length * width);
  genes.place.forEach((at, gene) => {
    if (at < 0) return;
    labels.forEach(
      (_, label) => (shares[label * width + at] = share[gene * labels.length + label]),
    );
  });
  return { genes, labels, shares };
}

/** Position of each reference gene among the shared ones, or −1; and the shared genes in the data, counted or not. */
interface SharedGenes {
  place: Int32Array;
  ofData: Uint32Array;
}

/** The names of the genes in each column that has any, the index first. */
export function geneNamings(h5ad: H5adFile, table: string): { column: string; names: string[] }[] {
  const columns = h5ad
    .columns(table)
    .filter((column) => SYMBOL_COLUMNS.includes(column.toLowerCase()));
  return [
    { column: "_index", names: h5ad.index(table) },
    ...columns.map((column) => ({ column, names: h5ad.text(table, column) ?? [] })),
  ];
}

async function sharedGenes(
  h5ad: H5adFile,
  table: string,
  query: ReferenceQuery,
): Promise<SharedGenes> {
  const namings = geneNamings(h5ad, table).map(({ names }) => names);
  const [index] = namings;
  const species = guessSpecies(namings.at(-1) ?? index, index);
  const isKnown = (one: Species): boolean => one === "human" || one === "mouse";
  // Cells of another mammal may be named by a human reference.
  if (isKnown(species) && isKnown(query.species) && species !== query.species) {
    h5ad.fail(
      `contains ${species} cells, but the sample is ${query.species}: use a reference of the same species`,
    );
  }
  const known = indexSymbols(query.symbols, query.counted);
  const ids = indexSymbols(query.ids.map(withoutVersion), query.counted);
  let most = -1;
  let best: SharedGenes = {
    place: new Int32Array(index.length).fill(-1),
    ofData: new Uint32Array(),
  };
  const compare = (naming: readonly string[]): void => {
    const place = new Int32Array(index.length).fill(-1);
    const used = new Map<number, number>();
    naming.forEach((name, gene) => {
      const at = known.get(name) ?? ids.get(withoutVersion(name));
      if (at === undefined || used.has(at)) return;
      place[gene] = used.size;
      used.set(at, used.size);
    });
    const counted = [...used.keys()].filter((at) => query.counted[at]).length;
    if (counted <= most) return;
    most = counted;
    best = { place, ofData: Uint32Array.from(used.keys()) };
  };
  namings.forEach(compare);
  // The sample may have symbols alone, as tables and matrices from R do, and the reference IDs alone.
  if (most < ENOUGH.GENES && lackSymbols(index)) compare((await symbolsOfIds(index)).symbols);
  if (most < ENOUGH.GENES) {
    h5ad.fail(
      `shares only ${most} of the sample's genes: its var must contain gene symbols or Ensembl IDs of the same species`,
    );
  }
  return best;
}

function withoutVersion(id: string): string {
  return id.replace(/^(ENS[A-Z]*\d+)\.\d+$/, "$1");
}

/**
 * Each label's share of UMIs in every shared gene. Integers are treated as counts; other values are taken to be log1p of
 * values proportional to counts, unless one is too large.
 */
async function meanShares(
  h5ad: H5adFile,
  matrix: H5adMatrix,
  part: { labelOf: Int32Array; nLabels: number; genes: SharedGenes; signal: AbortSignal },
): Promise<Float64Array> {
  const { labelOf, nLabels, genes, signal } = part;
  const { totals, whole, most } = await surveyOf(h5ad, matrix, signal);
  const width = genes.ofData.length;
  const shares = new Float64Array(nLabels * width);
  const wholes = new Float64Array(nLabels);
  const isLog = !whole && most <= REFERENCE_FILE.LARGEST_LOG;
  await h5ad.visit(
    matrix,
    (cell, gene, value) => {
      const label = labelOf[cell];
      if (label < 0) return;
      const share = whole ? value / Math.max(1, totals[cell]) : isLog ? Math.expm1(value) : value;
      wholes[label] += share;
      const at = genes.place[gene];
      if (at >= 0) shares[label * width + at] += share;
    },
    signal,
  );
  return shares.map((sum, i) => sum / (wholes[Math.floor(i / width)] || 1));
}
