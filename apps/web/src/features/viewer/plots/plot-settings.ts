import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { GeneLayer } from "../../../project/view/view-server.ts";
import type { AnyMeasure } from "../state/measures.ts";
import { useViewer } from "../state/viewer-context.tsx";
import type { Grouping } from "@stipple/viewer/choices";
import { perView } from "../state/per-view.ts";
import type { ViewerState } from "../state/viewer-store.ts";

export const CELL_PLOTS = ["violin", "dots", "heatmap", "histogram"] as const;
export const TISSUE_PLOTS = ["enrichment", "coOccurrence", "ligands", "domains", "moran"] as const;
export type CellPlot = (typeof CELL_PLOTS)[number];
export type TissuePlot = (typeof TISSUE_PLOTS)[number];

export function isTissuePlot(plot: CellPlot | TissuePlot): plot is TissuePlot {
  return (TISSUE_PLOTS as readonly string[]).includes(plot);
}

/** By the analysis's groups, by the user's named groups, or not at all. */
export type PlotGrouping = Exclude<Grouping, "evidence" | "imageQuality"> | "named" | "none";
export type PlotScope = "shown" | "all" | "selection";
export const MARKERS_A_GROUP = [1, 2, 3, 5, 10] as const;

/** What the user chose to plot, and how. */
export interface PlotSettings {
  plot: CellPlot | TissuePlot;
  groupBy: PlotGrouping;
  scope: PlotScope;
  layer: GeneLayer;
  /** What violins and histograms show. */
  value: "gene" | "score" | "measure";
  gene: string | null;
  measure: AnyMeasure;
  log: boolean;
  /** Which genes dot plots and heatmaps show: markers of the groups, the view's gene set, or `genes`. */
  geneSource: "markers" | "set" | "list";
  markersAGroup: number;
  genes: readonly string[];
  standardized: boolean;
  bins: number;
  stacked: boolean;
  /** Name as in the analysis; null = the first. */
  aroundType: string | null;
  /** Sender and receiver types of signals; null = all. */
  sender: string | null;
  receiver: string | null;
  significantOnly: boolean;
  mostPairs: number;
  mostGenes: number;
  /** Numbers instead of drawings. */
  asTable: boolean;
}

/** The plot settings of a view. */
export const plotStoreOf = perView((viewer) => {
  const { gene, layer, measure, colorBy } = viewer.getState();
  const plots = createStore<PlotSettings>(() => ({
    plot: "violin",
    groupBy: colorBy === "cluster" || colorBy === "domain" || colorBy === "own" ? colorBy : "type",
    scope: "shown",
    layer,
    value: colorBy === "score" ? "score" : gene === null ? "measure" : "gene",
    gene,
    measure,
    log: false,
    geneSource: "markers",
    markersAGroup: 2,
    genes: [],
    standardized: true,
    bins: 40,
    stacked: false,
    aroundType: null,
    sender: null,
    receiver: null,
    significantOnly: true,
    mostPairs: 20,
    mostGenes: 30,
    asTable: false,
  }));
  viewer.subscribe((state, before) => {
    const followed = followedValue(state, before);
    if (followed) plots.setState(followed);
  });
  return plots;
});

/** The value that the cells were just colored by, for the plots to show too. */
function followedValue(
  state: ViewerState,
  before: ViewerState,
): (Pick<PlotSettings, "value"> & Partial<PlotSettings>) | null {
  const { colorBy, gene, measure, layer } = state;
  if (
    colorBy === before.colorBy &&
    gene === before.gene &&
    measure === before.measure &&
    layer === before.layer
  )
    return null;
  if ((colorBy === "gene" || colorBy === "two") && gene !== null) {
    return { value: "gene", gene, layer };
  }
  if (colorBy === "score") return { value: "score", layer };
  return colorBy === "measure" ? { value: "measure", measure } : null;
}

/** The plot settings and their setter. */
export function usePlotSettings(): [PlotSettings, (part: Partial<PlotSettings>) => void] {
  const store = plotStoreOf(useViewer().store);
  return [useStore(store), store.setState];
}
