import { geneColumns } from "../../model/rates.ts";
import { rowsOf } from "../../store/sparse-rows.ts";
import { clusterSizes, statisticsOf, type GeneStatistics } from "./gene-statistics.ts";
import type { StatisticsGenes, StatisticsWork } from "./gene-statistics-task.ts";

let held: { key: string; column: ReturnType<typeof geneColumns> } | null = null;

/** Runs in a worker thread. */
export default function work(
  { key, parts, ...clustering }: StatisticsWork,
  { genes, counts }: StatisticsGenes,
): (GeneStatistics | null)[] {
  if (held?.key !== key) held = { key, column: geneColumns(parts) };
  const { column } = held;
  const sizes = clusterSizes(clustering);
  const { row } = rowsOf(counts);
  return genes.map((gene, i) => statisticsOf(column(gene, row(i)), clustering.clusters, sizes));
}
