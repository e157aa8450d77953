import { useMemo } from "react";
import { plotTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { useReliabilities } from "../../data/use-reliability.ts";
import { useViewerState } from "../../state/viewer-context.tsx";
import { PlotFigure } from "../figure/plot-figure.tsx";
import { PlotFailure, PlotMessage } from "../figure/plot-message.tsx";
import { useLast } from "../figure/use-last.ts";
import { usePlotSettings } from "../plot-settings.ts";
import { nothingToPlot, sourceLine } from "../plot-source.ts";
import { useGeneMeans } from "../use-gene-means.ts";
import { usePlotGroups } from "../use-plot-groups.ts";
import { usePlottedGenes } from "../use-plotted-genes.ts";
import { geneMatrixFigure } from "./gene-matrix-figure.ts";

/** Several genes by group, as a dot plot or heatmap. */
export function GeneMatrix({
  as,
  onGene,
}: {
  as: "dots" | "heatmap";
  onGene: (gene: string) => void;
}) {
  const [settings] = usePlotSettings();
  const { groupBy, scope, layer, standardized } = settings;
  const observedOnly = layer === "counts";
  const grouped = usePlotGroups(settings, observedOnly);
  const selected = useViewerState((state) => state.selection !== null);
  const chosen = usePlottedGenes(settings, grouped);
  const reliable = useReliabilities(chosen.genes);
  const { means, loaded, error, retry } = useGeneMeans(chosen.genes, layer, grouped);

  const figure = useMemo(() => {
    if (!means || means.length !== chosen.genes.length || means.length === 0) return null;
    const { offsets } = grouped.groups;
    return geneMatrixFigure({
      as,
      by: plotTexts.byGroup[groupBy],
      subtitle: sourceLine(viewerTexts.layers[layer], scope, grouped.cells, observedOnly),
      layer,
      genes: chosen.genes,
      reliable,
      means,
      groups: grouped.names.map((name, at) => ({ name, cells: offsets[at + 1]! - offsets[at]! })),
      standardize: standardized,
    });
  }, [
    as,
    means,
    chosen.genes,
    reliable,
    grouped,
    groupBy,
    layer,
    scope,
    observedOnly,
    standardized,
  ]);

  const last = useLast(figure);

  const nothing = nothingToPlot(settings, grouped, observedOnly, selected) ?? chosen.missing;
  if (nothing) return <PlotMessage>{nothing}</PlotMessage>;
  const failure = chosen.error ?? error;
  if (failure) return <PlotFailure error={failure} onRetry={chosen.error ? chosen.retry : retry} />;
  if (!last)
    return (
      <PlotMessage role="status">
        {chosen.pending
          ? plotTexts.loadingStatistics
          : plotTexts.loadingGenes(loaded, chosen.genes.length)}
      </PlotMessage>
    );
  return (
    <>
      <PlotFigure figure={last} stale={figure === null} onGene={onGene} />
      {figure === null && (
        <p role="status" className="text-xs text-ink-3">
          {plotTexts.loadingGenes(loaded, chosen.genes.length)}
        </p>
      )}
      {chosen.chosen > chosen.genes.length && (
        <p className="text-xs text-ink-3">
          {plotTexts.firstGenes(chosen.genes.length, chosen.chosen)}
        </p>
      )}
    </>
  );
}
