import { useMemo } from "react";
import { useStore } from "zustand";
import { comparisonOf } from "../selection/differential/comparison.ts";
import { useReliabilities } from "../data/use-reliability.ts";
import { useStatistics } from "../plots/use-statistics.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { geneSetTexts as texts } from "./texts.ts";

/** Genes that a table found, and all that it tested. */
export interface GeneTable {
  key: string;
  name: string;
  chosen: readonly string[];
  background: readonly string[];
  /** What the background is, if it is not the table's own genes. */
  note: string | null;
}

const MARKER_FDR = 0.05;
const KINDS = { cell_type: "type", cluster: "cluster", domain: "domain" } as const;

/** The latest comparison, by its thresholds, and the markers of each group of the analysis. */
export function useGeneTables(): readonly GeneTable[] {
  const { manifest, store } = useViewer();
  const { result, thresholds } = useStore(comparisonOf(store));
  const statistics = useStatistics();
  const reliable = useReliabilities(manifest.genes);
  return useMemo(() => {
    const tables: GeneTable[] = [];
    if (result) {
      const { genes, fdr, log2_fold_change: change } = result.table;
      const passing = (sign: number) =>
        genes.filter(
          (_, at) => fdr[at]! < thresholds.fdr && sign * change[at]! >= thresholds.change,
        );
      const table = { background: genes, note: null };
      tables.push(
        { key: "up", name: texts.comparisonUp(result.a), chosen: passing(1), ...table },
        { key: "down", name: texts.comparisonDown(result.b), chosen: passing(-1), ...table },
      );
    }
    const background = manifest.genes.filter((_, at) => reliable[at] === true);
    for (const { groupBy, groups } of statistics.data?.markers ?? []) {
      const kind = KINDS[groupBy];
      for (const { group, genes, pvalsAdj, logFoldChanges } of groups) {
        tables.push({
          key: `${kind}:${group}`,
          name: texts.markersOf(kind, group),
          chosen: genes.filter((_, at) => pvalsAdj[at]! < MARKER_FDR && logFoldChanges[at]! > 0),
          background,
          note: texts.reliableBackground,
        });
      }
    }
    return tables;
  }, [result, thresholds, statistics.data, manifest.genes, reliable]);
}
