import { setImmediate } from "node:timers/promises";
import { CancelledError, InputError, throwIfCancelled } from "../../../errors.ts";
import { guessSpecies, type Species } from "../../../types/guess-species.ts";
import { indexSymbols } from "../../../types/resolve-sets.ts";
import { H5adFile, type H5adMatrix } from "./h5ad-file.ts";
import type { LabelProfiles } from "./spot-proportions.ts";

/** Names of obs columns searched for labels, in this order; case and underscores do not matter. */
const LABEL_COLUMNS =
  "celltype celltypes cellontologyclass authorcelltype cellannotation annotation annotations label labels bulklabels celllabel celllabels subclass class cluster clusters".split(
    " ",
  );
const SYMBOL_COLUMNS =
  "feature_name gene_symbol gene_symbols gene_name gene_names gene_short_name symbol".split(" ");
/** With fewer genes in common, a reference is not informative. */
const LEAST_GENES = 30;
/** Labels with fewer cells are dropped. */
const LEAST_CELLS = 3;
/** Number of samples per label, each the mean of some of its cells: SingleR compares with several samples per label. */
const SAMPLES = 6;
const CELLS_PER_SAMPLE = 5;
/** Counts are scaled to this total before the logarithm. */
const TOTAL = 10_000;
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
}

export interface ReferenceQuery {
  file: string;
  /** obs column with the labels; common names are tried if omitted. */
  labelColumn?: string | undefined;
  symbols: readonly string[];
  ids: readonly string[];
  species: Species;
  /** 1 = the gene may be compared. */
  usable: Uint8Array;
  signal: AbortSignal;
}

/**
 * Reads a reference of labeled cells from an h5ad file, slice by slice: layers/counts, otherwise raw/X, otherwise X.
 * Memory: labels × shared genes. Throws {@link InputError} if there are no labels, fewer than two labels, hardly any
 * shared genes, scaled values, or another species.
 */
export async function readReference(query: ReferenceQuery): Promise<Reference> {
  const h5ad = await H5adFile.open(query.file);
  try {
    const column = findLabels(h5ad, query.labelColumn);
    const given = h5ad.text("obs", column);
    if (!given) return h5ad.fail(`has a column ${column} in obs that is not text`);
    const { matrix, table } = findMatrix(h5ad);
    if (matrix.nCells !== given.length) {
      h5ad.fail(`is damaged: ${matrix.path} has ${matrix.nCells} cells, obs ${given.length}`);
    }
    const genes = sharedGenes(h5ad, { table, nGenes: matrix.nGenes }, query);
    const { labels, labelOf, sampleOf } = samplesOf(given);
    if (labels.length < 2) {
      h5ad.fail(
        `has fewer than two labels with ${LEAST_CELLS} or more cells in obs column ${column}: choose a column of cell types`,
      );
    }
    const { logs, shares } = await means(h5ad, matrix, {
      sampleOf,
      labelOf,
      nLabels: labels.length,
      genes,
      signal: query.signal,
    });
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
    };
  } catch (cause) {
    if (cause instanceof InputError || cause instanceof CancelledError) throw cause;
    return h5ad.damaged(cause);
  } finally {
    h5ad.close();
  }
}

function findLabels(h5ad: H5adFile, wanted: string | undefined): string {
  const columns = h5ad.columns("obs");
  if (wanted !== undefined) {
    if (columns.includes(wanted)) return wanted;
    return h5ad.fail(`has no column ${wanted} in obs: choose one of ${columns.join(", ")}`);
  }
  const plain = columns.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ""));
  for (const name of LABEL_COLUMNS) {
    const at = plain.indexOf(name);
    if (at >= 0) return columns[at];
  }
  return h5ad.fail(
    `has no recognized column of cell types in obs (cell_type, label, …): choose one of ${columns.join(", ")}`,
  );
}

function findMatrix(h5ad: H5adFile): { matrix: H5adMatrix; table: string } {
  const counts = h5ad.matrix("layers/counts");
  if (counts) return { matrix: counts, table: "var" };
  const raw = h5ad.matrix("raw/X");
  if (raw) return { matrix: raw, table: "raw/var" };
  const x = h5ad.matrix("X");
  return x ? { matrix: x, table: "var" } : h5ad.fail("has no expression values in X");
}

/** Position of each reference gene among the shared ones, or −1; and the shared genes in the data, usable or not. */
interface SharedGenes {
  place: Int32Array;
  ofData: Uint32Array;
}

function sharedGenes(
  h5ad: H5adFile,
  { table, nGenes }: { table: string; nGenes: number },
  query: ReferenceQuery,
): SharedGenes {
  const index = h5ad.index(table);
  if (index.length !== nGenes) {
    h5ad.fail(`is damaged: its matrix has ${nGenes} genes, ${table} ${index.length}`);
  }
  const namings = [index];
  for (const column of h5ad.columns(table)) {
    if (SYMBOL_COLUMNS.includes(column.toLowerCase())) {
      namings.push(h5ad.text(table, column) ?? []);
    }
  }
  const species = guessSpecies(namings.at(-1) ?? index, index);
  if (species !== "unknown" && query.species !== "unknown" && species !== query.species) {
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
  if (mostUsable < LEAST_GENES) {
    h5ad.fail(
      `shares only ${mostUsable} of the sample's reliable genes: its var must contain gene symbols or Ensembl IDs of the same species`,
    );
  }
  return best;
}

function withoutVersion(id: string): string {
  return id.replace(/^(ENS[A-Z]*\d+)\.\d+$/, "$1");
}

/** Assigns each cell to one of its label's samples; −1 for unused cells. */
function samplesOf(given: readonly string[]): {
  labels: string[];
  labelOf: Int32Array;
  sampleOf: Int32Array;
} {
  const sizes = new Map<string, number>();
  for (const label of given) {
    if (!/^(|nan|na|none|unknown|unassigned)$/i.test(label.trim())) {
      sizes.set(label, (sizes.get(label) ?? 0) + 1);
    }
  }
  const labels = [...sizes.keys()].filter((label) => sizes.get(label)! >= LEAST_CELLS).sort();
  const labelOf: number[] = [];
  const first = new Map<string, { at: number; n: number; seen: number }>();
  labels.forEach((label, l) => {
    const n = Math.max(1, Math.min(SAMPLES, Math.floor(sizes.get(label)! / CELLS_PER_SAMPLE)));
    first.set(label, { at: labelOf.length, n, seen: 0 });
    for (let i = 0; i < n; i++) labelOf.push(l);
  });
  const sampleOf = Int32Array.from(given, (label) => {
    const own = first.get(label);
    return own ? own.at + (own.seen++ % own.n) : -1;
  });
  return { labels, labelOf: Int32Array.from(labelOf), sampleOf };
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
  const pause = async (): Promise<void> => {
    await setImmediate();
    throwIfCancelled(part.signal);
  };
  const totals = new Float64Array(matrix.nCells);
  let whole = true;
  let [least, most] = [0, 0];
  await h5ad.visit(
    matrix,
    (cell, _, value) => {
      totals[cell] += value;
      if (value < least) least = value;
      if (value > most) most = value;
      if (whole && !Number.isInteger(value)) whole = false;
    },
    pause,
  );
  if (least < 0) {
    h5ad.fail(`has scaled values (below 0) in ${matrix.path}: use counts or log-normalized values`);
  }
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
