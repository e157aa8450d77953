import { CELL_EVIDENCE } from "@stipple/contract";
import { cellName } from "../../exports/cell-names.ts";
import type { FieldKey } from "../../fields.ts";
import { prototypeTotals, timesPrototypes } from "../../model/prototype-sums.ts";
import { logRatesOf, variancesOf } from "../../steps/5-cluster-analysis/log-rates.ts";
import { readResult, readResultIfAny } from "../../store/results-folder.ts";
import { openSparseRows } from "../../store/sparse-rows.ts";
import { storedParts, type ReadKey } from "../../views.ts";
import { countRows } from "./count-rows.ts";
import type { SpaceKind, SpaceSample, SpaceSource } from "./space-sample.ts";

const GENES = ["genes/id", "genes/name", "sample/species"] as const;
const TYPES = ["cells/cell_type", "types/name"] as const;
/** Genes whose variances are computed together. */
const GENE_BLOCK = 2048;

/** The fields that a joint space reads of each sample. */
export function spaceFields({ of, on }: SpaceKind): FieldKey[] {
  const keys: ReadKey[] =
    of === "spots"
      ? ["spots/barcode", "spots/in_tissue", "spots/counts"]
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
  const [barcodes, inTissue, rows] = await Promise.all([
    readResult(results, "spots/barcode"),
    readResult(results, "spots/in_tissue"),
    openSparseRows(results, "spots/counts"),
  ]);
  const { hasEnough, ...numbers } = countRows(rows);
  return {
    ...numbers,
    nRows: rows.nRows,
    kept: rowsWhere(rows.nRows, (spot) => inTissue[spot] === 1 && hasEnough(spot)),
    types: null,
    nameOf: (spot) => barcodes[spot],
  };
}

async function openCounts(results: string): Promise<Opened> {
  const rows = await openSparseRows(results, "cells/counts");
  const { hasEnough, ...numbers } = countRows(rows);
  return {
    ...numbers,
    nRows: rows.nRows,
    kept: rowsWhere(rows.nRows, hasEnough),
    types: await typesOf(results),
    nameOf: cellName,
  };
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
