import { csvText } from "@stipple/contract/csv";
import { csvFile, csvNumber } from "../selection/export/csv.ts";
import type { MarkerRow } from "./marker-rows.ts";

const HEADERS = [
  "group",
  "gene",
  "log2_fold_change",
  "auc",
  "fraction",
  "fraction_others",
  "reliable",
] as const;

/** All pages of the displayed rows as a CSV file. */
export function markersCsv(
  rows: readonly MarkerRow[],
  nameOf: (group: string) => string,
): Promise<Blob> {
  return csvFile(HEADERS, rows.length, (at) => {
    const row = rows[at]!;
    return [
      csvText(nameOf(row.group)),
      csvText(row.gene),
      ...[row.log2FoldChange, row.auc, row.share, row.shareOthers].map(csvNumber),
      row.reliable === null ? "" : row.reliable ? "1" : "0",
    ];
  });
}
