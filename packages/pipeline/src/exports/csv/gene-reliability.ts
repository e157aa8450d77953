import { RATE_SOURCES } from "@stipple/contract";
import type { Matrix } from "@stipple/numerics/matrices";
import { rounded, writeTable } from "./table.ts";

export interface GeneTable {
  ids: readonly string[];
  symbols: readonly string[];
  /** Unique names, as in the h5ad. */
  names: readonly string[];
  heldoutPcc: Float32Array;
  reliable: Uint8Array;
  /** Index into RATE_SOURCES. */
  rateSource: Uint8Array;
  rateCv: Float32Array;
  /** nGenes × 3: expected correlation over single cells, and the low and high end of its interval. */
  cellPcc: Matrix<Float32Array>;
  /**
   * Sums over the spots (or the finest bins, where cell counts come from those), over the cells, and of what reached no
   * cell.
   */
  observed: Float64Array;
  assigned: Float64Array;
  unassigned: Float64Array;
}

const COLUMNS = [
  ...["gene_id", "symbol", "name", "heldout_pcc", "reliable", "total_umis", "rate_cv"],
  ...[
    "assigned_umis",
    "unassigned_umis",
    "rate_source",
    "cell_pcc",
    "cell_pcc_low",
    "cell_pcc_high",
  ],
];

/** One line per gene: how well its level is predicted at held-out spots, and where its counts went. */
export function writeGeneReliability(path: string, genes: GeneTable): Promise<void> {
  const rows = genes.names.map((name, gene) => [
    ...[genes.ids[gene], genes.symbols[gene], name],
    ...[rounded(genes.heldoutPcc[gene], 4), genes.reliable[gene] === 1, genes.observed[gene]],
    ...[rounded(genes.rateCv[gene], 4), genes.assigned[gene], genes.unassigned[gene]],
    RATE_SOURCES[genes.rateSource[gene]],
    ...Array.from(genes.cellPcc.data.subarray(3 * gene, 3 * gene + 3), (r) => rounded(r, 4)),
  ]);
  return writeTable(path, COLUMNS, rows);
}
