import { guessSpecies, type Species } from "../../../species/guess-species.ts";
import type { ReferenceDescription } from "@stipple/contract/kept-reference";
import { indexSymbols } from "../../../types/resolve-sets.ts";
import { describedIn, readCondensed } from "./condensed-reference.ts";
import type { H5adFile, H5adMatrix } from "./h5ad-file.ts";
import { outlineOf, pauseOf, surveyOf, withReference } from "./reference-outline.ts";
import type { LabelProfiles } from "./spot-proportions.ts";

const SYMBOL_COLUMNS =
  "feature_name gene_symbol gene_symbols gene_name gene_names gene_short_name symbol".split(" ");
/** With fewer genes in common, a reference is not informative. */
const MIN_GENES = 30;
/** Counts are scaled to this total before the logarithm. */
export const TOTAL = 10_000;
/** No log count is larger. */
const LARGEST_LOG = 30;

/** Mean expression of the labels in a reference, for the genes that it shares with the data. */
export interface Reference {
  /** Labels, one each, in alphabetical order. */
  labels: string[];
  /** Genes in the data used to compare cells. */
  genes: Uint32Array;
  /** Label of each sample. */
  labelOf: Int32Array;
  /** Samples × genes: mean log1p over some of a label's cells. */
  samples: Float64Array;
  /** Each label's share of UMIs in all shared genes. */
  profiles: LabelProfiles;
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
  /** 1 = the gene may be compared. */
  usable: Uint8Array;
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
    const read = description ? profilesOf(h5ad, description, query) : cellsOf(h5ad, query);
    const { genes, labels, labelOf, logs, shares } = await read;
    const compared = genes.ofData.map((_, at) => at).filter((at) => query.usable[genes.ofData[at]]);
    const width = genes.ofData.length;
    return {
      labels,
      genes: compared.map((at) => genes.ofData[at]),
      labelOf,
      samples: Float64Array.from({ length: labelOf.length * compared.length }, (_, i) => {
        const sample = Math.floor(i / compared.length);
        return logs[sample * width + compared[i % compared.length]];
      }),
      profiles: { labels, genes: genes.ofData, profiles: shares },
      description,
    };
  });
}

/** What is read of a reference in the shared genes: samples × genes and labels × genes. */
interface SharedMeans {
  genes: SharedGenes;
  labels: string[];
  labelOf: Int32Array;
  logs: Float64Array;
  shares: Float64Array;
}

async function cellsOf(h5ad: H5adFile, query: ReferenceQuery): Promise<SharedMeans> {
  const { matrix, table, labels, labelOf, sampleOf } = outlineOf(h5ad, query.labelColumn);
  const genes = sharedGenes(h5ad, table, query);
  const found = await means(h5ad, matrix, {
    sampleOf,
    labelOf,
    nLabels: labels.length,
    genes,
    signal: query.signal,
  });
  return { genes, labels, labelOf, ...found };
}

async function profilesOf(
  h5ad: H5adFile,
  description: ReferenceDescription,
  query: ReferenceQuery,
): Promise<SharedMeans> {
  const { labels } = description;
  const genes = sharedGenes(h5ad, "var", query);
  const { labelOf, log, share, nGenes } = await readCondensed(h5ad, description);
  const width = genes.ofData.length;
  const logs = new Float64Array(labelOf.length * width);
  const shares = new Float64Array(labels.length * width);
  genes.place.forEach((at, gene) => {
    if (at < 0) return;
    labelOf.forEach((_, sample) => (logs[sample * width + at] = log[sample * nGenes + gene]));
    labels.forEach(
      (_, label) => (shares[label * width + at] = share[gene * labels.length + label]),
    );
  });
  return { genes, labels, labelOf, logs, shares };
}

/** Position of each reference gene among the shared ones, or −1; and the shared genes in the data, usable or not. */
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

function sharedGenes(h5ad: H5adFile, table: string, query: ReferenceQuery): SharedGenes {
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
  const known = indexSymbols(query.symbols, query.usable);
  const ids = indexSymbols(query.ids.map(withoutVersion), query.usable);
  let mostUsable = -1;
  let best: SharedGenes = {
    place: new Int32Array(index.length).fill(-1),
    ofData: new Uint32Array(),
  };
  for (const naming of namings) {
    const place = new Int32Array(index.length).fill(-1);
    const used = new Map<number, number>();
    naming.forEach((name, gene) => {
      const at = known.get(name) ?? ids.get(withoutVersion(name));
      if (at === undefined || used.has(at)) return;
      place[gene] = used.size;
      used.set(at, used.size);
    });
    const usable = [...used.keys()].filter((at) => query.usable[at]).length;
    if (usable <= mostUsable) continue;
    mostUsable = usable;
    best = { place, ofData: Uint32Array.from(used.keys()) };
  }
  if (mostUsable < MIN_GENES) {
    h5ad.fail(
      `shares only ${mostUsable} of the sample's reliable genes: its var must contain gene symbols or Ensembl IDs of the same species`,
    );
  }
  return best;
}

function withoutVersion(id: string): string {
  return id.replace(/^(ENS[A-Z]*\d+)\.\d+$/, "$1");
}

/**
 * Mean log1p of each sample's cells, and each label's share of UMIs in every gene. Integers are treated as counts and
 * scaled to a total of 10,000 before the log; other values are taken to be such logs already, unless one is too large.
 */
async function means(
  h5ad: H5adFile,
  matrix: H5adMatrix,
  part: {
    sampleOf: Int32Array;
    labelOf: Int32Array;
    nLabels: number;
    genes: SharedGenes;
    signal: AbortSignal;
  },
): Promise<{ logs: Float64Array; shares: Float64Array }> {
  const { sampleOf, labelOf, nLabels, genes } = part;
  const pause = pauseOf(part.signal);
  const { totals, whole, most } = await surveyOf(h5ad, matrix, pause);
  const width = genes.ofData.length;
  const sums = new Float64Array(labelOf.length * width);
  const shares = new Float64Array(nLabels * width);
  const wholes = new Float64Array(nLabels);
  const isLog = !whole && most <= LARGEST_LOG;
  const cells = new Float64Array(labelOf.length);
  for (const sample of sampleOf) if (sample >= 0) cells[sample]++;
  await h5ad.visit(
    matrix,
    (cell, gene, value) => {
      const sample = sampleOf[cell];
      const at = genes.place[gene];
      if (sample < 0) return;
      const label = labelOf[sample];
      const share = whole ? value / Math.max(1, totals[cell]) : isLog ? Math.expm1(value) : value;
      wholes[label] += share;
      if (at < 0) return;
      shares[label * width + at] += share;
      sums[sample * width + at] += whole
        ? Math.log1p((TOTAL * value) / Math.max(1, totals[cell]))
        : value;
    },
    pause,
  );
  return {
    logs: sums.map((sum, i) => sum / cells[Math.floor(i / width)]),
    shares: shares.map((sum, i) => sum / (wholes[Math.floor(i / width)] || 1)),
  };
}
