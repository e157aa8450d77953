import type { MarkerTable } from "@stipple/contract/statistical-facts";
import { isNamed } from "../state/free-names.ts";
import { csvFile } from "../selection/export/csv.ts";

/** One gene of one group, as shown in the table. */
export interface MarkerRow {
  /** Name given by the analysis. */
  group: string;
  gene: string;
  log2FoldChange: number;
  /** Probability that a cell in the group has more than a cell outside it. */
  auc: number;
  /** Share of cells with a count, 0–1. */
  share: number;
  shareOthers: number;
  /** Null until known. */
  reliable: boolean | null;
}

export type MarkerColumn = keyof MarkerRow;

export interface MarkerFilter {
  /** Part of a gene's name. */
  search: string;
  /** A group's name; null = all. */
  group: string | null;
  reliableOnly: boolean;
}

/** Every listed gene of every group, in the analysis's order: group by group, best first. O(rows). */
export function markerRows(
  table: Pick<MarkerTable, "groups">,
  isReliable: (gene: string) => boolean | null,
): MarkerRow[] {
  return table.groups.flatMap(({ group, genes, logFoldChanges, auc, fraction, fractionOthers }) =>
    genes.map((gene, at) => ({
      group,
      gene,
      log2FoldChange: logFoldChanges[at]!,
      auc: auc[at]!,
      share: fraction[at]!,
      shareOthers: fractionOthers[at]!,
      reliable: isReliable(gene),
    })),
  );
}

export function chosenRows(
  rows: readonly MarkerRow[],
  { search, group, reliableOnly }: MarkerFilter,
): MarkerRow[] {
  return rows.filter(
    (row) =>
      (group === null || row.group === group) &&
      isNamed(row.gene, search) &&
      (!reliableOnly || row.reliable === true),
  );
}

const HEADERS = [
  "group",
  "gene",
  "log2_fold_change",
  "auc",
  "fraction",
  "fraction_others",
  "reliable",
] as const;

/** Rows as a CSV file; `nameOf` maps groups to their names on the page. */
export function markersCsv(
  rows: readonly MarkerRow[],
  nameOf: (group: string) => string,
): Promise<Blob> {
  return csvFile(HEADERS, rows.length, (at) => {
    const { group, gene, log2FoldChange, auc, share, shareOthers, reliable } = rows[at]!;
    const isReliable = reliable === null ? null : Number(reliable);
    return [nameOf(group), gene, log2FoldChange, auc, share, shareOthers, isReliable];
  });
}
