import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { isNamed } from "../../state/free-names.ts";
import { csvFile } from "../export/csv.ts";

export const GENE_COLUMNS = [
  "gene",
  "log2_fold_change",
  "auc",
  "fdr",
  "pvalue",
  "t",
  "fraction_a",
  "fraction_b",
  "reliable",
] as const;
export type GeneColumn = (typeof GENE_COLUMNS)[number];

export interface Thresholds {
  fdr: number;
  change: number;
}

/**
 * The side with more of a gene, if the difference passes the thresholds: 1 = a, −1 = b, 0 = neither. The test over spots
 * must agree: a gene that a few cells of a have, but spots with more of these cells have less of, is on neither side.
 */
export function sideOf(table: DifferentialTable, row: number, { fdr, change }: Thresholds): number {
  const fold = table.log2_fold_change[row]!;
  const agrees = fold * table.t[row]! > 0;
  return agrees && table.fdr[row]! < fdr && Math.abs(fold) >= change ? Math.sign(fold) : 0;
}

/** Row numbers of the genes that contain `search` and, with `beyond`, pass the thresholds. O(n). */
export function geneRows(
  table: DifferentialTable,
  search: string,
  beyond: Thresholds | null,
): number[] {
  return [...table.genes.keys()].filter(
    (row) =>
      isNamed(table.genes[row]!, search) && (beyond === null || sideOf(table, row, beyond) !== 0),
  );
}

export function geneValue(
  table: DifferentialTable,
  row: number,
  column: GeneColumn,
): string | number {
  return column === "gene" ? table.genes[row]! : Number(table[column][row]);
}

/** The whole table as a CSV file, best genes first, with the names of both sides in every row. */
export function genesCsv(a: string, b: string, table: DifferentialTable): Promise<Blob> {
  return csvFile([...GENE_COLUMNS, "a", "b"], table.genes.length, (row) => [
    ...GENE_COLUMNS.map((column) => geneValue(table, row, column)),
    a,
    b,
  ]);
}
