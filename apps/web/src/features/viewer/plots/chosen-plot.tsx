import { CellPlot } from "./kinds/cell-plot.tsx";
import { GeneMatrix } from "./kinds/gene-matrix.tsx";
import { TissuePlotView } from "./kinds/tissue-plot.tsx";
import { isTissuePlot, usePlotSettings } from "./plot-settings.ts";

/** The plot that the settings choose. */
export function ChosenPlot({ onGene }: { onGene: (gene: string) => void }) {
  const [{ plot }] = usePlotSettings();
  if (isTissuePlot(plot)) return <TissuePlotView plot={plot} onGene={onGene} />;
  if (plot === "violin" || plot === "histogram") return <CellPlot as={plot} />;
  return <GeneMatrix as={plot} onGene={onGene} />;
}
