import { CELL_EVIDENCE } from "@stipple/contract";
import { cellName } from "../../exports/cell-names.ts";
import type { FieldKey } from "../../fields.ts";
import { prototypeTotals, timesPrototypes } from "../../model/prototype-sums.ts";
import { logRatesOf, variancesOf } from "../../steps/5-cluster-analysis/log-rates.ts";
import { readResult, readResultIfAny } from "../../store/results-folder.ts";
import { openSparseRows, type StoredRows } from "../../store/sparse-rows.ts";
import { storedParts, type ReadKey } from "../../views.ts";
import type { SpaceKind, SpaceSample, SpaceSource } from "./space-sample.ts";
import { log1pOf } from "@stipple/numerics/log1p";
import { lowess } from "@stipple/numerics/lowess";

const GENES = ["genes/id", "genes/name", "sample/species"] as const;
const TYPES = ["cells/cell_type", "types/name"] as const;
/** Genes whose variances are computed together. */
const GENE_BLOCK = 2048;

/** The fields that a joint space reads of each sample. */
export function spaceFields({ of, on }: SpaceKind): FieldKey[] {
  const keys: ReadKey[] =
    of === "spots"
      ? ["spots/barcode", "spots/counts"]
      : on === "counts"
        ? ["cells/counts", ...TYPES]
        : ["cells/rate", "cells/evidence", "genes/reliable", ...TYPES];
  return storedParts([...GENES, ...keys]);
}

/** Opens a sample for a joint space; its numbers are read from disk when they are needed. */
export async function openSample(source: SpaceSource, kind: SpaceKind): Promise<SpaceSample> {
  const { results, name, condition, batch } = source;
  const [id, geneNames, facts] = await Promise.all([
    readResult(results, "genes/id"),
    readResult(results, "genes/name"),
    readResultIfAny(results, "sample/species"),
  ]);
  const species = !facts || facts.species === "unknown" ? null : (facts.name ?? facts.species);
  const about = { name, condition, batch, species, genes: { id, name: geneNames } };
  const open = kind.of === "spots" ? openSpots : kind.on === "counts" ? openCounts : openRates;
  return { ...about, ...(await open(results)) };
}

type Opened = Omit<SpaceSample, "name" | "condition" | "batch" | "species" | "genes">;

async function openSpots(results: string): Promise<Opened> {
  const [barcodes, rows] = await Promise.all([
    readResult(results, "spots/barcode"),
    openSparseRows(results, "spots/counts"),
  ]);
  return { ...counted(rows), types: null, nameOf: (spot) => barcodes[spot] };
}

async function openCounts(results: string): Promise<Opened> {
  const rows = await openSparseRows(results, "cells/counts");
  return { ...counted(rows), types: await typesOf(results), nameOf: cellName };
}

function counted(rows: StoredRows): Omit<Opened, "types" | "nameOf"> {
  const { hasEnough, ...numbers } = countRows(rows);
  return { ...numbers, nRows: rows.nRows, kept: rowsWhere(rows.nRows, hasEnough) };
}

async function openRates(results: string): Promise<Opened> {
  const [rates, evidence, reliable] = await Promise.all([
    readResult(results, "cells/rate"),
    readResult(results, "cells/evidence"),
    readResult(results, "genes/reliable"),
  ]);
  const { membership, nGenes, nCells, rows } = { ...rates, ...rates.parts };
  const totals = timesPrototypes(
    membership.data,
    prototypeTotals(rates.parts.profile.data, membership.nCols),
  );
  const usable = rowsWhere(nGenes, (gene) => reliable[gene] === 1);
  return {
    nRows: nCells,
    kept: rowsWhere(nCells, (cell) => CELL_EVIDENCE[evidence[cell]] !== "beyond_reach"),
    types: await typesOf(results),
    nameOf: cellName,
    totals: (cells) => Float64Array.from(cells, (cell) => totals[cell]),
    async variability(cells, scale) {
      const found = new Float64Array(nGenes).fill(NaN);
      for (let from = 0; from < usable.length; from += GENE_BLOCK) {
        const genes = usable.slice(from, from + GENE_BLOCK);
        const variances = await variancesOf({ rows }, cells, genes, { totals, scale });
        genes.forEach((gene, i) => (found[gene] = variances[i]));
      }
      return found;
    },
    block: (cells, genes, scale) => logRatesOf({ rows }, cells, genes, { totals, scale }, null),
  };
}

async function typesOf(results: string): Promise<SpaceSample["types"]> {
  const [of, names] = await Promise.all([
    readResult(results, "cells/cell_type"),
    readResult(results, "types/name"),
  ]);
  return { names, of };
}

function rowsWhere(count: number, holds: (row: number) => boolean): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: count }, (_, row) => row).filter(holds);
}

/** Rows with fewer genes are too near to nothing to be placed. */
export const MIN_GENES = 10;
/** Share of the genes around a gene from which its trend is found. */
const SPAN = 0.3;

/** The numbers of a {@link SpaceSample} from counts on disk. */
export function countRows(
  rows: StoredRows,
): Pick<SpaceSample, "totals" | "variability" | "block"> & { hasEnough(row: number): boolean } {
  let columns: { genes: Uint32Array; of: Int32Array } | null = null;
  const columnsOf = (genes: Uint32Array): Int32Array => {
    if (columns?.genes !== genes) {
      const of = new Int32Array(rows.nCols).fill(-1);
      genes.forEach((gene, column) => (of[gene] = column));
      columns = { genes, of };
    }
    return columns.of;
  };
  return {
    hasEnough: (row) => rows.lengthOf(row) >= MIN_GENES,
    totals: (wanted) => Float64Array.from(wanted, (row) => totalOf(rows.row(row).data)),
    async variability(wanted, scale) {
      const sums = new Float64Array(rows.nCols);
      const squares = new Float64Array(rows.nCols);
      for (const row of wanted) {
        const { indices, data } = rows.row(row);
        addRow(indices, data, scale / totalOf(data), sums, squares);
      }
      return beyondTrend(sums, squares, wanted.length);
    },
    block(wanted, genes, scale) {
      const columnOf = columnsOf(genes);
      const block = new Float32Array(wanted.length * genes.length);
      wanted.forEach((row, i) => {
        const { indices, data } = rows.row(row);
        putRow(indices, data, scale / totalOf(data), columnOf, block, i * genes.length);
      });
      return block;
    },
  };
}

function totalOf(data: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i];
  return sum;
}

function addRow(
  indices: Uint32Array,
  data: Float32Array,
  factor: number,
  sums: Float64Array,
  squares: Float64Array,
): void {
  for (let i = 0; i < indices.length; i++) {
    const value = log1pOf(data[i] * factor);
    sums[indices[i]] += value;
    squares[indices[i]] += value * value;
  }
}

function putRow(
  indices: Uint32Array,
  data: Float32Array,
  factor: number,
  columnOf: Int32Array,
  block: Float32Array,
  to: number,
): void {
  for (let i = 0; i < indices.length; i++) {
    const column = columnOf[indices[i]];
    if (column >= 0) block[to + column] = log1pOf(data[i] * factor);
  }
}

/** Variance of each gene beyond that of genes with its mean (Lun et al. 2016); NaN where it is not seen. */
function beyondTrend(
  sums: Float64Array,
  squares: Float64Array,
  n: number,
): Float64Array<ArrayBuffer> {
  const excess = new Float64Array(sums.length).fill(NaN);
  const seen = Array.from(sums.keys())
    .filter((gene) => sums[gene] > 0)
    .sort((a, b) => sums[a] - sums[b]);
  const means = seen.map((gene) => sums[gene] / n);
  const variances = seen.map((gene, i) => squares[gene] / n - means[i] ** 2);
  const trend = lowess(means, variances, SPAN);
  seen.forEach((gene, i) => (excess[gene] = variances[i] - trend[i]));
  return excess;
}
