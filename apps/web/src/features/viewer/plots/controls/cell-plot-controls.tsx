import { CELL_MEASURES } from "@stipple/contract/viewer-manifest";
import { Checkbox } from "../../../../components/checkbox.tsx";
import { Segmented } from "../../../../components/segmented.tsx";
import { plotTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { GeneChoice } from "../../genes/gene-choice.tsx";
import { useGenePrefetch } from "../../genes/use-gene-prefetch.ts";
import { MeasureOptions } from "../../data/measure-options.tsx";
import type { AnyMeasure } from "../../state/measures.ts";
import {
  usePlotSettings,
  MARKERS_A_GROUP,
  type PlotGrouping,
  type PlotScope,
} from "../plot-settings.ts";
import { Choice, LabeledSelect } from "./labeled.tsx";
import { LayerChoice } from "../../genes/layer-choice.tsx";
import { useState } from "react";
import { GeneChips } from "../../genes/gene-chips.tsx";
import { GeneSearch } from "../../genes/gene-search.tsx";
import { groupsOf } from "../../state/shown-groups.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";

/** What violins and histograms show. */
export function ValueControls() {
  const [{ plot, value, gene, measure, layer, log, bins, stacked }, set] = usePlotSettings();
  const askAhead = useGenePrefetch(layer);
  return (
    <>
      <Segmented
        label={plotTexts.values}
        names={plotTexts.valueKinds}
        value={value}
        onChange={(next) => set({ value: next })}
      />
      {value === "gene" && (
        <GeneChoice
          label={viewerTexts.gene}
          value={gene}
          onChange={(next) => set({ gene: next })}
          onMark={askAhead}
        />
      )}
      {value === "measure" ? (
        <LabeledSelect
          label={viewerTexts.measure}
          value={measure}
          onChange={(next) => set({ measure: next as AnyMeasure })}
        >
          <MeasureOptions ofCells={CELL_MEASURES} chosen={measure} />
        </LabeledSelect>
      ) : (
        <LayerControls />
      )}
      <Checkbox checked={log} onCheck={(next) => set({ log: next })}>
        {plotTexts.logarithm}
      </Checkbox>
      {plot === "histogram" && (
        <>
          <Segmented
            label={plotTexts.arrangement}
            names={{ separate: plotTexts.sideBySide, stacked: plotTexts.stacked }}
            value={stacked ? "stacked" : "separate"}
            onChange={(next) => set({ stacked: next === "stacked" })}
          />
          <Choice
            inline
            label={plotTexts.bins}
            value={bins}
            options={[20, 40, 80]}
            onChange={(next) => set({ bins: next })}
          />
        </>
      )}
    </>
  );
}

/** Inferred or observed expression in plots. */
export function LayerControls() {
  const [{ layer }, set] = usePlotSettings();
  return <LayerChoice value={layer} onChange={(next) => set({ layer: next })} />;
}

/** Which genes dot plots and heatmaps show, and how they are colored. */
export function GenesControls() {
  const [{ geneSource, markersAGroup, genes, standardized }, set] = usePlotSettings();
  // The search box is reset after adding its gene.
  const [added, setAdded] = useState(0);
  return (
    <>
      <Segmented
        label={plotTexts.genes}
        names={plotTexts.geneSources}
        value={geneSource}
        onChange={(next) => set({ geneSource: next })}
      />
      {geneSource === "markers" && (
        <Choice
          inline
          label={plotTexts.markersAGroup}
          value={markersAGroup}
          options={MARKERS_A_GROUP}
          onChange={(next) => set({ markersAGroup: next })}
        />
      )}
      {geneSource === "list" && (
        <>
          <GeneSearch
            key={added}
            label={plotTexts.addGene}
            value={null}
            onChange={(gene) => {
              if (gene === null) return;
              set({ genes: [...new Set([...genes, gene])] });
              setAdded(added + 1);
            }}
          />
          <GeneChips genes={genes} onChange={(next) => set({ genes: next })} />
        </>
      )}
      <LayerControls />
      <Segmented
        label={plotTexts.coloredAs}
        names={{ standardized: plotTexts.asStandardized, mean: plotTexts.asMeasured }}
        value={standardized ? "standardized" : "mean"}
        onChange={(next) => set({ standardized: next === "standardized" })}
      />
    </>
  );
}

const SCOPES: readonly PlotScope[] = ["shown", "all", "selection"];
const GROUPINGS: readonly PlotGrouping[] = ["type", "cluster", "domain", "own", "named", "none"];

/** Which cells are plotted, and how they are grouped. */
export function CellsControls() {
  const { manifest } = useViewer();
  const [{ groupBy, scope }, set] = usePlotSettings();
  const named = useViewerState((state) => state.groups.length > 0);
  const offered = GROUPINGS.filter(
    (of) =>
      of === groupBy ||
      of === "none" ||
      (of === "named" ? named : groupsOf(manifest, of).length > 0),
  );
  return (
    <div className="grid grid-cols-2 gap-3">
      <Choice
        label={plotTexts.groupBy}
        value={groupBy}
        options={offered}
        named={(of) => plotTexts.groupings[of]}
        onChange={(next) => set({ groupBy: next })}
      />
      <Choice
        label={plotTexts.scope}
        value={scope}
        options={SCOPES}
        named={(of) => plotTexts.scopes[of]}
        onChange={(next) => set({ scope: next })}
      />
      {groupBy === "named" && <p className="col-span-2 text-xs text-ink-3">{plotTexts.overlap}</p>}
    </div>
  );
}
