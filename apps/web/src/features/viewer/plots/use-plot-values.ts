import { plotTexts } from "./texts.ts";
import { measureName } from "../regions/measures/measure-name.ts";
import { viewerTexts } from "../texts.ts";
import { isCounted } from "../data/counted.ts";
import { useGeneValues, useMeasure, useScore } from "../data/use-values.ts";
import { useViewerState } from "../state/viewer-context.tsx";
import type { PlotSettings } from "./plot-settings.ts";

export interface PlotValues {
  /** One per cell; undefined while loading. */
  values: Float32Array | undefined;
  name: string;
  /** Kind of values: inferred, observed, or a measure. */
  kind: string;
  /** Cells outside the spots have no such value. */
  observedOnly: boolean;
  /** Why there is nothing to plot, if no value is chosen. */
  missing: string | null;
  error: Error | null;
  retry: () => void;
}

/** The values shown by violins and histograms. */
export function usePlotValues(settings: PlotSettings): PlotValues {
  const { value, layer, measure } = settings;
  const scoreGenes = useViewerState((state) => state.scoreGenes);
  const gene = useGeneValues(value === "gene" ? settings.gene : null, layer);
  const score = useScore(value === "score" ? scoreGenes : [], layer);
  const measured = useMeasure(value === "measure" ? measure : null);
  const query = { gene, score, measure: measured }[value];
  const missing =
    value === "gene" && settings.gene === null
      ? plotTexts.noGene
      : value === "score" && scoreGenes.length === 0
        ? plotTexts.noSet
        : null;
  return {
    values: query.data,
    name:
      value === "gene"
        ? (settings.gene ?? "")
        : value === "score"
          ? viewerTexts.scoreOf(scoreGenes.length)
          : measureName(measure),
    kind: value === "measure" ? "" : viewerTexts.layers[layer],
    observedOnly: value === "measure" ? isCounted(measure) : layer === "counts",
    missing,
    error: query.error,
    retry: () => void query.refetch(),
  };
}
