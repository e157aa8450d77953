import type { ViewerColumn } from "@stipple/contract/viewer-manifest";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type Coloring,
  type ValueRange,
  spotClusterColoring,
  spotColors,
  spotEdgeColors,
} from "@stipple/viewer/cells";
import { scaled, type ColumnArray } from "@stipple/viewer/source";
import { KEPT } from "../../../project/view/query-options.ts";
import { scaledColoring, useScaled } from "../coloring/use-scaled.ts";
import { useSpotGene } from "../data/use-values.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { SpotContent } from "@stipple/viewer";

/** The spots or bins shown with the cells: their drawing, and what their colors mean. */
export interface SpotsShown {
  content: SpotContent;
  /** What fills them: clusters, or counts on a separate scale; null = no values at spot level. */
  filledBy: "clusters" | "counts" | "two" | null;
  /** Range of each gene or measure that fills them. */
  ranges: readonly ValueRange[];
  pending: boolean;
  error: Error | null;
}

/** The spots to draw according to the state; null if not shown or not loaded yet. */
export function useSpots(): SpotsShown | null {
  const { manifest } = useViewer();
  const wanted = useViewerState(
    ({ layers, swipe, arrangement }) =>
      (layers.spots || swipe !== null) && arrangement !== "umap" && manifest.nSpots > 0,
  );
  const colorBy = useViewerState((state) => state.colorBy);
  const gene = useViewerState((state) => state.gene);
  const secondGene = useViewerState((state) => state.secondGene);
  const isTotal = useViewerState((state) => state.measure === "cells.total_counts");

  const xy = useColumn("spots.xy", wanted).data as Float32Array | undefined;
  const byGroup = colorBy === "type" || colorBy === "cluster" || colorBy === "domain";
  const byGene = wanted && (colorBy === "gene" || colorBy === "two");
  const byTotal = colorBy === "measure" && isTotal;
  const clusters = useColumn("spots.cluster", wanted && byGroup);
  const totals = useColumn("spots.total_counts", wanted && byTotal);
  const first = useSpotGene(byGene ? gene : null);
  const second = useSpotGene(byGene && colorBy === "two" ? secondGene : null);
  const queries = byGroup ? [clusters] : byTotal ? [totals] : [first, second];

  const ofTotals = byTotal ? (totals.data as Float32Array | undefined) : undefined;
  const a = useScaled(byGene ? first.data : ofTotals, true);
  const b = useScaled(byGene && colorBy === "two" ? second.data : undefined, true);

  const shown = useMemo(() => {
    if (!wanted || !xy) return null;
    const count = manifest.nSpots;
    const filled = (
      filledBy: SpotsShown["filledBy"],
      coloring: Coloring,
      ranges: readonly ValueRange[],
    ) => ({
      content: { xy, rgba: spotColors(coloring, count, clusters.data), onlyEdges: false },
      filledBy,
      ranges,
    });
    if (byGroup && clusters.data && manifest.spotClusters.length > 0)
      return filled("clusters", spotClusterColoring(manifest), []);
    const coloring = scaledColoring(a, b, false);
    if (coloring.by === "two")
      return filled("two", coloring, [coloring.first.range, coloring.second.range]);
    if (coloring.by === "value") return filled("counts", coloring, [coloring.range]);
    return {
      content: { xy, rgba: spotEdgeColors(count), onlyEdges: true },
      filledBy: null,
      ranges: [],
    };
  }, [wanted, xy, manifest, byGroup, clusters.data, a, b]);

  const pending = queries.some(({ isLoading }) => isLoading);
  const error = queries.find(({ error: one }) => one)?.error ?? null;
  return useMemo(() => shown && { ...shown, pending, error }, [shown, pending, error]);
}

/** A column of offsets into a file of outlines; undefined until loaded. */
export function useOffsets(
  name: "polygons.offsets" | "nuclei.offsets",
  enabled: boolean,
): Uint32Array | undefined {
  return useColumn(name, enabled).data as Uint32Array | undefined;
}

/** A column; positions of spots in px of the largest tissue level, counts as floats. */
function useColumn(name: ViewerColumn, enabled: boolean) {
  const { source, manifest, projectId } = useViewer();
  return useQuery({
    queryKey: ["viewer-column", projectId, name],
    enabled: enabled && manifest.columns[name] !== undefined,
    ...KEPT,
    queryFn: async ({ signal }): Promise<ColumnArray> => {
      const column = await source.column(name, signal);
      if (name === "spots.xy") return scaled(column as Float32Array, 1 / manifest.tissue.scale);
      return name === "spots.total_counts" ? Float32Array.from(column) : column;
    },
  });
}
