import { CELL_MEASURES, type CellMeasure } from "@stipple/contract/viewer-manifest";
import { useId } from "react";
import { lazyPart } from "../../../app/load-code.ts";
import { CoveringInput } from "../../../components/covering-input.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { LazyBoundary } from "../../../components/lazy-boundary.tsx";
import type { GlossarySection } from "../../../components/help-texts.ts";
import { viewerTexts } from "../texts.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { ColoringStatus } from "../genes/coloring-status.tsx";
import { GeneChoice } from "../genes/gene-choice.tsx";
import { LayerChoice } from "../genes/layer-choice.tsx";
import { useGenePrefetch } from "../genes/use-gene-prefetch.ts";
import { ScoreGenes } from "../genes/score-genes.tsx";
import { GROUPINGS } from "@stipple/viewer/choices";
import { MeasureOptions } from "../data/measure-options.tsx";
import { isPlaceMeasure, isProtein, type AnyMeasure } from "../state/measures.ts";
import { COLORINGS, type ColorBy } from "../state/shown-state.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";

/** Only values have limits, and its slider comes with a library. */
const QuantileSlider = lazyPart(
  () => import("../../../components/quantile-slider.tsx"),
  "QuantileSlider",
);

/** What the cells are colored by, with the related options. */
export function ColorSection({ coloring }: { coloring: CellColoring }) {
  const { manifest, store } = useViewer();
  const colorBy = useViewerState((state) => state.colorBy);
  const layer = useViewerState((state) => state.layer);
  const gene = useViewerState((state) => state.gene);
  const secondGene = useViewerState((state) => state.secondGene);
  const quantiles = useViewerState((state) => state.quantiles);
  const hasGroups = useViewerState((state) => state.groups.length > 0);
  const askAhead = useGenePrefetch(layer);
  const byValue = !(GROUPINGS as readonly ColorBy[]).includes(colorBy) && colorBy !== "groups";
  const known = COLORINGS.filter(
    (value) =>
      (value !== "domain" || manifest.domains.length > 0) &&
      (value !== "own" || manifest.own !== undefined || colorBy === "own") &&
      (value !== "evidence" || manifest.evidence !== undefined) &&
      (value !== "imageQuality" || manifest.imageQuality !== undefined) &&
      (value !== "groups" || hasGroups || colorBy === "groups"),
  );
  return (
    <section aria-label={viewerTexts.colorBy} className="flex flex-col gap-3">
      <ColorChoice
        choices={known}
        value={colorBy}
        onChange={(next) => store.setState({ colorBy: next })}
      />
      {(colorBy === "gene" || colorBy === "two") && (
        <GeneChoice
          label={colorBy === "two" ? viewerTexts.firstGene : viewerTexts.gene}
          value={gene}
          onChange={(next) => store.setState({ gene: next })}
          onMark={askAhead}
        />
      )}
      {colorBy === "two" && (
        <GeneChoice
          label={viewerTexts.secondGene}
          value={secondGene}
          onChange={(next) => store.setState({ secondGene: next })}
          onMark={askAhead}
        />
      )}
      {colorBy === "score" && <ScoreGenes />}
      {colorBy === "measure" && <MeasureChoice />}
      {byValue && colorBy !== "measure" && (
        <LayerChoice value={layer} onChange={(next) => store.setState({ layer: next })} />
      )}
      {byValue && <ColoringStatus coloring={coloring} />}
      {byValue && coloring.ranges.length > 0 && (
        <LazyBoundary waiting={<div className="h-12" />}>
          <QuantileSlider
            quantiles={quantiles}
            onChange={(next) => store.setState({ quantiles: next })}
          />
        </LazyBoundary>
      )}
    </section>
  );
}

function ColorChoice({
  choices,
  value,
  onChange,
}: {
  choices: readonly ColorBy[];
  value: ColorBy;
  onChange: (value: ColorBy) => void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium text-ink-2">
        {viewerTexts.colorBy}
      </legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice}
            className={joinClasses(
              "relative flex h-8 cursor-pointer items-center rounded-full border px-3 text-[0.8125rem] font-medium whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-primary",
              choice === value
                ? "border-primary bg-primary-tint text-primary"
                : "border-line text-ink-2 hover:bg-raised hover:text-ink",
            )}
          >
            <CoveringInput
              type="radio"
              name={name}
              checked={choice === value}
              onChange={() => onChange(choice)}
            />
            {viewerTexts.colorings[choice]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Where the glossary explains a measure; areas need no explanation. */
const MEASURE_SECTIONS: Partial<Record<CellMeasure, GlossarySection>> = {
  "cells.total_counts": "counts",
  "cells.n_genes": "detected-genes",
  "cells.confidence": "confidence",
  "cells.type_margin": "lead-over-the-next-best-type",
  "cells.rate_cv": "rate-uncertainty",
};

function MeasureChoice() {
  const { manifest, store } = useViewer();
  const measure = useViewerState((state) => state.measure);
  return (
    <div className="flex items-center gap-1.5">
      <select
        aria-label={viewerTexts.measure}
        value={measure}
        onChange={(event) => store.setState({ measure: event.target.value as AnyMeasure })}
        className="h-10 min-w-0 flex-1 rounded-control border border-line-input bg-card px-3 text-ink"
      >
        <MeasureOptions
          ofCells={CELL_MEASURES.filter((name) => manifest.columns[name])}
          chosen={measure}
        />
      </select>
      {isPlaceMeasure(measure) ? (
        <HelpLink page="regions" />
      ) : (
        <HelpLink
          page="glossary"
          section={isProtein(measure) ? "protein" : MEASURE_SECTIONS[measure]}
        />
      )}
    </div>
  );
}
