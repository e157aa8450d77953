import { csvText } from "@stipple/contract/csv";
import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { csvFile, csvNumber } from "../export/csv.ts";
import { GENE_COLUMNS } from "./gene-rows.ts";

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
