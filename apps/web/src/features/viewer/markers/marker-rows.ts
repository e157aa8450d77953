import type { MarkerTable } from "@stipple/contract/statistical-facts";

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

export interface MarkerOrder {
  by: MarkerColumn;
  descending: boolean;
}

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

/** The rows that pass the filter, sorted; `nameOf` maps groups to their names on the page. O(n log n). */
export function chosenRows(
  rows: readonly MarkerRow[],
  { search, group, reliableOnly }: MarkerFilter,
  order: MarkerOrder | null,
  nameOf: (group: string) => string,
): MarkerRow[] {
  const wanted = search.trim().toLowerCase();
  const chosen = rows.filter(
    (row) =>
      (group === null || row.group === group) &&
      (wanted === "" || row.gene.toLowerCase().includes(wanted)) &&
      (!reliableOnly || row.reliable === true),
  );
  if (!order) return chosen;
  const sign = order.descending ? -1 : 1;
  const { compare } = new Intl.Collator("en", { numeric: true });
  const { by } = order;
  // Ties keep the analysis's order.
  if (by === "gene") return chosen.sort((a, b) => sign * compare(a.gene, b.gene));
  if (by === "group") {
    return chosen.sort((a, b) => sign * compare(nameOf(a.group), nameOf(b.group)));
  }
  return chosen.sort((a, b) => sign * (Number(a[by]) - Number(b[by])));
}
