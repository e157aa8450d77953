import { basename } from "node:path";
import type { ReferenceDescription } from "@stipple/contract/kept-reference";
import { largest } from "@stipple/numerics/largest";
import { recognizeSpecies } from "../species/guess-species.ts";
import { hashFile } from "../store/hash-file.ts";
import { describedIn, writeCondensed, type CondensedReference } from "./condensed-reference.ts";
import type { H5adFile, H5adMatrix } from "./h5ad-file.ts";
import { outlineOf, recognizedLabels, surveyOf, withReference } from "./reference-outline.ts";
import { geneNamings } from "./read-reference.ts";
import { REFERENCE_FILE } from "../model/limits.ts";
import { REFERENCES } from "../model/constants.ts";

/** What the person who adds a reference says about it. */
export interface ReferenceOrder {
  name: string;
  tissue: string;
  /** The obs column of the labels; may be omitted if only one is recognized. */
  labelColumn?: string | undefined;
  /** The species that is expected. */
  species?: "human" | "mouse" | undefined;
  /** Where it is from, if not from a file of this name. */
  source?: string | undefined;
  citation?: string | undefined;
  license?: string | undefined;
  /** SHA-256 (hex) of the source, if the file was itself made from one. */
  sourceSha256?: string | undefined;
}

/**
 * Condenses an h5ad of labeled cells to a few profiles for each label in the genes that tell labels apart, and writes it to
 * `out`. It must hold counts, because levels and spreads of normalized values depend on how they were normalized. Throws
 * an {@link InputError}. Memory: labels × genes; reads the values twice.
 */
export async function condenseReference(
  file: string,
  out: string,
  order: ReferenceOrder,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<ReferenceDescription> {
  const condensed = await withReference(file, async (h5ad) => {
    if (describedIn(h5ad)) h5ad.fail("is condensed already: add the file that it was made from");
    const labelsColumn = oneColumn(h5ad, order.labelColumn);
    const { matrix, table, labels, labelOf } = outlineOf(h5ad, labelsColumn);
    const namings = geneNamings(h5ad, table);
    const species = speciesOf(h5ad, namings, order.species);
    const part = { labelOf, nLabels: labels.length, signal };
    const { cells, ...ofLabels } = await statisticsOf(h5ad, matrix, part);
    const { nGenes } = matrix;
    const kept = chooseGenes({ nLabels: labels.length, nGenes, ...ofLabels });
    const byGene = (values: Float64Array): Float32Array =>
      Float32Array.from({ length: kept.length * labels.length }, (_, i) => {
        const gene = kept[Math.floor(i / labels.length)];
        return values[(i % labels.length) * nGenes + gene];
      });
    const sourceSha256 = order.sourceSha256 ?? (await hashFile(file)).sha256;
    return {
      description: {
        format: 1,
        name: order.name,
        tissue: order.tissue,
        species,
        labelsColumn,
        labels,
        cells: cells.reduce((sum, n) => sum + n, 0),
        genes: kept.length,
        source: order.source ?? basename(file),
        citation: order.citation ?? null,
        license: order.license ?? null,
        sourceSha256,
        condensedAt: now.toISOString(),
      },
      cells,
      genes: namings
        .map(({ column, names }) => ({ column, names: Array.from(kept, (gene) => names[gene]) }))
        .filter(({ names }, at, all) => at === 0 || String(names) !== String(all[0].names)),
      log: Float32Array.from({ length: labels.length * kept.length }, (_, i) => {
        const label = Math.floor(i / kept.length);
        return ofLabels.log[label * nGenes + kept[i % kept.length]];
      }),
      share: byGene(ofLabels.share),
      spread: byGene(ofLabels.spread),
    } satisfies CondensedReference;
  });
  await writeCondensed(out, condensed);
  return condensed.description;
}

/** The column to use. Throws if it is not given and several look like labels. */
function oneColumn(h5ad: H5adFile, wanted: string | undefined): string {
  const recognized = recognizedLabels(h5ad);
  if (wanted !== undefined) return wanted;
  if (recognized.length > 1) {
    h5ad.fail(`has several columns of labels (${recognized.join(", ")}): say which one to use`);
  }
  return recognized[0] ?? h5ad.fail("has no recognized column of cell types: say which one to use");
}

function speciesOf(
  h5ad: H5adFile,
  namings: CondensedReference["genes"],
  wanted: string | undefined,
): string {
  const { species, name } = recognizeSpecies({
    symbol: namings.at(-1)!.names,
    id: namings[0].names,
  });
  if (species === "unknown" || name === null) {
    h5ad.fail(
      "does not show which species its genes are from: its var must contain gene symbols or Ensembl IDs",
    );
  }
  if (species === "mixed") h5ad.fail(`contains genes of ${name}: use cells of one species`);
  if (wanted !== undefined && species !== wanted) {
    h5ad.fail(`contains ${name} cells, not ${wanted}: use a reference of the species you named`);
  }
  return name;
}

/** Means and standard deviations over the cells of each label; × genes. */
async function statisticsOf(
  h5ad: H5adFile,
  matrix: H5adMatrix,
  part: { labelOf: Int32Array; nLabels: number; signal: AbortSignal },
) {
  const { labelOf, nLabels, signal } = part;
  const { totals, whole } = await surveyOf(h5ad, matrix, signal);
  if (!whole) {
    h5ad.fail(
      `has normalized values in ${matrix.path}: a reference to keep needs counts there, in layers/counts or in raw/X`,
    );
  }
  const { nGenes } = matrix;
  const [share, log, spread] = [0, 1, 2].map(() => new Float64Array(nLabels * nGenes));
  const cells = new Int32Array(nLabels);
  for (const label of labelOf) if (label >= 0) cells[label]++;
  await h5ad.visit(
    matrix,
    (cell, gene, value) => {
      const label = labelOf[cell];
      if (label < 0 || value === 0) return;
      const ofTotal = value / totals[cell];
      const logged = Math.log1p(REFERENCE_FILE.TOTAL * ofTotal);
      const at = label * nGenes + gene;
      share[at] += ofTotal;
      log[at] += logged;
      spread[at] += logged ** 2;
    },
    signal,
  );
  for (let at = 0; at < log.length; at++) {
    const n = cells[Math.floor(at / nGenes)];
    share[at] /= n;
    log[at] /= n;
    spread[at] = Math.sqrt(Math.max(0, spread[at] / n - log[at] ** 2));
  }
  return { cells, share, log, spread };
}

const { MAX_GENES, OF_PAIRS } = REFERENCE_FILE;

/** Means and standard deviations of log1p expression, labels × genes. */
interface LabelStatistics {
  nLabels: number;
  nGenes: number;
  log: Float64Array;
  spread: Float64Array;
}

/**
 * Genes that tell labels apart, in ascending order: first the largest differences of every pair of labels, then those
 * that set each label apart from all others compared with the spread of its cells. O(labels² · genes).
 */
function chooseGenes(statistics: LabelStatistics): Uint32Array {
  const chosen = new Set<number>();
  takeInTurn(chosen, ofPairs(statistics), OF_PAIRS);
  takeInTurn(chosen, ofLabels(statistics), MAX_GENES);
  return Uint32Array.from(chosen).sort();
}

/** Adds the first of every list, then the second, and so on, until there are enough. */
function takeInTurn(chosen: Set<number>, lists: readonly number[][], depth: number): void {
  const longest = Math.min(depth, Math.max(0, ...lists.map(({ length }) => length)));
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      if (chosen.size >= MAX_GENES) return;
      if (rank < list.length) chosen.add(list[rank]);
    }
  }
}

function ofPairs({ nLabels, nGenes, log }: LabelStatistics): number[][] {
  const lists: number[][] = [];
  for (let a = 0; a < nLabels; a++) {
    for (let b = 0; b < nLabels; b++) {
      if (a === b) continue;
      lists.push(
        largest(nGenes, OF_PAIRS, (gene) => log[a * nGenes + gene] - log[b * nGenes + gene]),
      );
    }
  }
  return lists;
}

function ofLabels({ nLabels, nGenes, log, spread }: LabelStatistics): number[][] {
  const sums = new Float64Array(nGenes);
  log.forEach((value, i) => (sums[i % nGenes] += value));
  return Array.from({ length: nLabels }, (_, label) =>
    largest(nGenes, MAX_GENES, (gene) => {
      const at = label * nGenes + gene;
      const others = (sums[gene] - log[at]) / (nLabels - 1);
      return (log[at] - others) / (spread[at] + REFERENCES.MIN_SPREAD);
    }),
  );
}
