import { NO_CELLS } from "@stipple/viewer/source";
import { useMemo } from "react";
import { plotTexts } from "../texts.ts";
import { PlotFigure } from "../figure/plot-figure.tsx";
import { PlotMessage, PlotFailure } from "../figure/plot-message.tsx";
import { useLast } from "../figure/use-last.ts";
import { useSummary } from "../numbers/use-summary.ts";
import { usePlotSettings, type PlotSettings } from "../plot-settings.ts";
import { nothingToPlot, sourceLine } from "../plot-source.ts";
import { usePlotGroups } from "../use-plot-groups.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { histogramFigure } from "./histogram-figure.ts";
import { violinFigure } from "./violin-figure.ts";
import { measureName } from "../../regions/measures/measure-name.ts";
import { viewerTexts } from "../../texts.ts";
import { isCounted } from "../../data/counted.ts";
import { useGeneValues, useMeasure, useScore } from "../../data/use-values.ts";

/** Points at which a violin's width is evaluated: at 2 px each, more would not be visible. */
const POINTS = 160;

/** One value of every cell, by group: violins or a histogram. */
export function CellPlot({ as }: { as: "violin" | "histogram" }) {
  const [settings] = usePlotSettings();
  const { groupBy, scope, log, bins, stacked } = settings;
  const chosen = usePlotValues(settings);
  const { values, name, kind, observedOnly, missing } = chosen;
  const grouped = usePlotGroups(settings, observedOnly);
  const selected = useViewerState((state) => state.selection !== null);
  const { summary, failed } = useSummary(values, grouped.groups, { log, bins, points: POINTS });

  const figure = useMemo(() => {
    if (!summary) return null;
    const input = {
      name,
      by: plotTexts.byGroup[groupBy],
      subtitle: sourceLine(kind, scope, grouped.cells, observedOnly),
      summary,
      groups: grouped.names.map((group, at) => ({ name: group, color: grouped.colors[at]! })),
      log,
    };
    return as === "violin" ? violinFigure(input) : histogramFigure({ ...input, stacked });
  }, [as, summary, name, kind, groupBy, scope, grouped, observedOnly, log, stacked]);

  const last = useLast(figure);

  const nothing = missing ?? nothingToPlot(settings, grouped, observedOnly, selected);
  if (nothing) return <PlotMessage>{nothing}</PlotMessage>;
  if (chosen.error) return <PlotFailure error={chosen.error} onRetry={chosen.retry} />;
  if (failed) return <PlotMessage role="alert">{plotTexts.computingFailed}</PlotMessage>;
  if (summary?.groups.every(({ cells }) => cells === 0))
    return <PlotMessage>{plotTexts.noNumbers}</PlotMessage>;
  if (!last) return <PlotMessage role="status">{plotTexts.loading}</PlotMessage>;
  return <PlotFigure figure={last} stale={figure === null} />;
}

/** The values shown by violins and histograms. */
function usePlotValues(settings: PlotSettings) {
  const { value, layer, measure } = settings;
  const { cells } = useViewer();
  const scoreGenes = useViewerState((state) => state.scoreGenes);
  const types = useViewerState((state) => state.edits.type);
  const gene = useGeneValues(value === "gene" ? settings.gene : null, layer);
  const score = useScore(value === "score" ? scoreGenes : [], layer);
  const measured = useMeasure(value === "measure" ? measure : null);
  const query = { gene, score, measure: measured }[value];
  /** Why there is nothing to plot, if no value is chosen. */
  const missing =
    value === "gene" && settings.gene === null
      ? plotTexts.noGene
      : value === "score" && scoreGenes.length === 0
        ? plotTexts.noSet
        : value === "measure" && cells !== NO_CELLS && !measured.isEnabled
          ? plotTexts.noMeasure(measureName(measure, types))
          : null;
  return {
    /** One per cell; undefined while loading. */
    values: query.data,
    name:
      value === "gene"
        ? (settings.gene ?? "")
        : value === "score"
          ? viewerTexts.scoreOf(scoreGenes.length)
          : measureName(measure, types),
    /** Inferred, observed, or a measure. */
    kind: value === "measure" ? "" : viewerTexts.layers[layer],
    /** Cells outside the spots have no such value. */
    observedOnly: value === "measure" ? isCounted(measure) : layer === "counts",
    missing,
    error: query.error,
    retry: () => void query.refetch(),
  };
}
