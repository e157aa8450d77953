import type { SpatialStatistics } from "@stipple/contract/statistical-facts";
import { useMemo } from "react";
import { ButtonLink } from "../../../../components/button.tsx";
import { plotTexts } from "../texts.ts";
import { changePath } from "../../../../app/change-path.ts";
import { useOwnership } from "../../sharing/use-ownership.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import type { Figure } from "../figure/figure.ts";
import { PlotFigure } from "../figure/plot-figure.tsx";
import { PlotFailure, PlotMessage } from "../figure/plot-message.tsx";
import { usePlotSettings, type PlotSettings, type TissuePlot } from "../plot-settings.ts";
import { useGroupLooks, type LookOf } from "../use-group-looks.ts";
import { useStatistics } from "../use-statistics.ts";
import { coOccurrenceFigure } from "./co-occurrence-figure.ts";
import { compositionFigure, triedFigure } from "./domains-figures.ts";
import { enrichmentFigure } from "./enrichment-figure.ts";
import { ligandsFigure } from "./ligands-figure.ts";
import { moranFigure } from "./moran-figure.ts";

/** A result of the advanced analysis, with the analysis's notes on it. */
export function TissuePlotView({
  plot,
  onGene,
}: {
  plot: TissuePlot;
  onGene: (gene: string) => void;
}) {
  const [settings] = usePlotSettings();
  const { data, error, refetch } = useStatistics();
  const lookOfType = useGroupLooks("type");
  const lookOfDomain = useGroupLooks("domain");
  const spatial = data?.spatial;
  const drawn = useMemo(
    () => spatial && FIGURES[plot](spatial, settings, lookOfType, lookOfDomain),
    [spatial, plot, settings, lookOfType, lookOfDomain],
  );

  if (error) return <PlotFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <PlotMessage role="status">{plotTexts.loadingStatistics}</PlotMessage>;
  if (!spatial || !drawn) return <NotAdvanced />;
  return (
    <>
      {typeof drawn === "string" ? (
        <PlotMessage>{drawn}</PlotMessage>
      ) : (
        drawn.map((figure, part) => (
          <PlotFigure key={figure.title} figure={figure} part={part} onGene={onGene} />
        ))
      )}
      {spatial.notes.length > 0 && (
        <div className="rounded-control bg-raised px-3 py-2 text-xs text-ink-2">
          <p className="font-medium">{plotTexts.notes}</p>
          <ul className="mt-1 list-disc pl-4">
            {spatial.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** Shown for a basic analysis, which has none of these; the owner can upgrade without a new project. */
function NotAdvanced() {
  const { projectId } = useViewer();
  const { role } = useOwnership();
  return (
    <PlotMessage>
      <p>{plotTexts.basic}</p>
      {role === "owner" && (
        <>
          <p className="mt-2">{plotTexts.basicOwner}</p>
          <ButtonLink size="sm" className="mt-3" to={changePath(projectId, "advanced")}>
            {plotTexts.toAdvanced}
          </ButtonLink>
        </>
      )}
    </PlotMessage>
  );
}

/** The figures of a plot, or why there is none. */
const FIGURES: Record<
  TissuePlot,
  (
    spatial: SpatialStatistics,
    settings: PlotSettings,
    lookOfType: LookOf,
    lookOfDomain: LookOf,
  ) => Figure[] | string
> = {
  enrichment({ enrichment, testedCells }, _, lookOf) {
    return enrichment ? [enrichmentFigure(enrichment, testedCells, lookOf)] : plotTexts.nullTable;
  },
  coOccurrence({ coOccurrence, testedCells }, { aroundType }, lookOf) {
    if (!coOccurrence) return plotTexts.nullTable;
    const around = aroundType ?? coOccurrence.types[0] ?? "";
    const figure = coOccurrenceFigure(coOccurrence, around, testedCells, lookOf);
    return figure ? [figure] : plotTexts.coOccurrence.noPairs;
  },
  ligands({ ligandReceptor }, settings, lookOf) {
    if (!ligandReceptor || ligandReceptor.ligand.length === 0) return plotTexts.nullTable;
    const figure = ligandsFigure(ligandReceptor, settings, lookOf);
    return figure ? [figure] : plotTexts.noRows;
  },
  domains({ domains }, _, lookOfType, lookOfDomain) {
    return domains
      ? [compositionFigure(domains, lookOfType, lookOfDomain), triedFigure(domains)]
      : plotTexts.nullTable;
  },
  moran({ moran, testedCells }, { mostGenes }) {
    return moran && moran.genes.length > 0
      ? [moranFigure(moran, mostGenes, testedCells)]
      : plotTexts.nullTable;
  },
};
