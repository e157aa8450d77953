import type { MarkerTable } from "@stipple/contract/statistical-facts";
import { useMemo } from "react";
import { plotTexts } from "./texts.ts";
import { useViewerState } from "../state/viewer-context.tsx";
import type { PlotGrouping, PlotSettings } from "./plot-settings.ts";
import type { PlotGroups } from "./use-plot-groups.ts";
import { useStatistics } from "./use-statistics.ts";

/** More rows would be illegible, and each row is a gene to fetch. */
export const MAX_PLOTTED_GENES = 60;

const MARKER_TABLES: Readonly<Record<PlotGrouping, MarkerTable["groupBy"] | null>> = {
  type: "cell_type",
  cluster: "cluster",
  domain: "domain",
  own: null,
  named: null,
  none: null,
};

/**
 * The genes of dot plots and heatmaps: from the list, the view's gene set, or the groups' markers in group order; before
 * them the gene that colors the cells.
 */
export function usePlottedGenes(
  { geneSource, groupBy, markersAGroup, genes }: PlotSettings,
  { originalNames }: PlotGroups,
) {
  const set = useViewerState((state) => state.scoreGenes);
  // The plot follows the gene that colors the cells.
  const shown = useViewerState((state) => (state.colorBy === "gene" ? state.gene : null));
  const statistics = useStatistics();
  const table = statistics.data?.markers.find(
    (markers) => markers.groupBy === MARKER_TABLES[groupBy],
  );
  const wanted = useMemo(() => {
    if (geneSource === "set") return set;
    const chosen =
      geneSource === "list" ? genes : table ? topMarkers(table, originalNames, markersAGroup) : [];
    return shown === null || chosen.includes(shown) ? chosen : [shown, ...chosen];
  }, [geneSource, genes, set, table, originalNames, markersAGroup, shown]);
  const pending = geneSource === "markers" && statistics.isLoading;
  const reasons = {
    list: plotTexts.noGenes,
    set: plotTexts.noSet,
    markers: MARKER_TABLES[groupBy] === null ? plotTexts.noMarkersOfThese : whyNoMarkers(table),
  };
  return {
    genes: useMemo(() => wanted.slice(0, MAX_PLOTTED_GENES), [wanted]),
    /** How many were chosen, including those left out. */
    chosen: wanted.length,
    /** Why there are none. */
    missing: wanted.length === 0 && !pending ? reasons[geneSource] : null,
    pending,
    error: geneSource === "markers" ? statistics.error : null,
    retry: () => void statistics.refetch(),
  };
}

/** Why the analysis lists no drawable markers for these groups. */
function whyNoMarkers(table: MarkerTable | undefined): string {
  if (!table || table.groups.length < 2) return plotTexts.noMarkersFewGroups;
  return table.groups.every(({ genes }) => genes.length === 0)
    ? plotTexts.noMarkersFound
    : plotTexts.noMarkersHigher;
}

/**
 * The top `most` genes of each group that are higher there than in other cells, each gene once, in the order of
 * `groups`.
 */
export function topMarkers(
  { groups: tested }: MarkerTable,
  groups: readonly string[],
  most: number,
): string[] {
  const found = new Set<string>();
  for (const name of groups) {
    const markers = tested.find(({ group }) => group === name);
    if (!markers) continue;
    const up = markers.genes.filter((_, at) => markers.logFoldChanges[at]! > 0);
    for (const gene of up.slice(0, most)) found.add(gene);
  }
  return [...found];
}
