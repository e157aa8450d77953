import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "../../fields.ts";
import type { RateParts } from "../../model/rates.ts";
import type { GeneStatistics } from "./gene-statistics.ts";

/** Input shared by all genes. */
export interface StatisticsWork {
  /** Cache key: a thread keeps what it derived from these factors. */
  key: string;
  parts: RateParts;
  clusters: Int32Array;
  nClusters: number;
}

/** Some genes and their counts, one row each. */
export interface StatisticsGenes {
  genes: readonly number[];
  counts: SparseMatrix;
}

/** Statistics of some genes over all cells; null for genes that hardly vary. */
export const statisticsOfGenes = defineTask<
  StatisticsWork,
  StatisticsGenes,
  (GeneStatistics | null)[]
>("gene-statistics", new URL("./gene-statistics-worker.ts", import.meta.url));
