import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { csvText } from "@stipple/contract/csv";
import { csvFile, csvNumber } from "../export/csv.ts";

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

export interface GeneOrder {
  by: GeneColumn;
  descending: boolean;
}

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

/**
 * Sorted row numbers of the genes that contain `search` and, with `beyond`, pass the thresholds. Ties keep the table's
 * order, which is by evidence. O(n log n).
 */
export function geneRows(
  table: DifferentialTable,
  { by, descending }: GeneOrder,
  search: string,
  beyond: Thresholds | null,
): number[] {
  const wanted = search.trim().toLowerCase();
  const rows = [...table.genes.keys()].filter(
    (row) =>
      (wanted === "" || table.genes[row]!.toLowerCase().includes(wanted)) &&
      (beyond === null || sideOf(table, row, beyond) !== 0),
  );
  const sign = descending ? -1 : 1;
  if (by === "gene") {
    const { compare } = new Intl.Collator("en", { numeric: true });
    return rows.sort((a, b) => sign * compare(table.genes[a]!, table.genes[b]!));
  }
  const values = table[by].map(Number);
  return rows.sort((a, b) => sign * (values[a]! - values[b]!) || a - b);
}

/** The whole table as a CSV file, best genes first, with the names of both sides in every row. */
export function genesCsv(a: string, b: string, table: DifferentialTable): Promise<Blob> {
  const sides = [csvText(a), csvText(b)];
  return csvFile([...GENE_COLUMNS, "a", "b"], table.genes.length, (row) => [
    ...GENE_COLUMNS.map((name) =>
      name === "gene" ? csvText(table.genes[row]!) : csvNumber(Number(table[name][row])),
    ),
    ...sides,
  ]);
}
