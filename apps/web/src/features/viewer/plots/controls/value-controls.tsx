import { CELL_MEASURES } from "@stipple/contract/viewer-manifest";
import { Segmented } from "../../../../components/segmented.tsx";
import { plotTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { GeneReliability } from "../../genes/gene-reliability.tsx";
import { GeneSearch } from "../../genes/gene-search.tsx";
import { useGeneAhead } from "../../genes/use-gene-ahead.ts";
import { ProteinOptions } from "../../data/protein-options.tsx";
import { measureName } from "../../regions/measures/measure-name.ts";
import { PlaceOptions } from "../../regions/measures/place-options.tsx";
import type { AnyMeasure } from "../../state/measures.ts";
import { usePlotSettings } from "../plot-settings.ts";
import { LabeledCheckbox, LabeledSelect } from "./labeled.tsx";
import { LayerControls } from "./layer-controls.tsx";

/** What violins and histograms show. */
export function ValueControls() {
  const [{ plot, value, gene, measure, layer, log, bins, stacked }, set] = usePlotSettings();
  const askAhead = useGeneAhead(layer);
  return (
    <>
      <Segmented
        label={plotTexts.values}
        names={plotTexts.valueKinds}
        value={value}
        onChange={(next) => set({ value: next })}
      />
      {value === "gene" && (
        <GeneSearch
          label={viewerTexts.gene}
          value={gene}
          onChange={(next) => set({ gene: next })}
          onMark={askAhead}
        />
      )}
      {value === "gene" && gene !== null && <GeneReliability gene={gene} />}
      {value === "measure" ? (
        <LabeledSelect
          label={viewerTexts.measure}
          value={measure}
          onChange={(next) => set({ measure: next as AnyMeasure })}
        >
          {CELL_MEASURES.map((name) => (
            <option key={name} value={name}>
              {viewerTexts.measures[name]}
            </option>
          ))}
          <ProteinOptions />
          <PlaceOptions />
          {/* Shown only if it is none of those above. */}
          <option hidden value={measure}>
            {viewerTexts.measureGone(measureName(measure))}
          </option>
        </LabeledSelect>
      ) : (
        <LayerControls />
      )}
      <LabeledCheckbox
        label={plotTexts.logarithm}
        checked={log}
        onChange={(next) => set({ log: next })}
      />
      {plot === "histogram" && (
        <>
          <Segmented
            label={plotTexts.arrangement}
            names={{ separate: plotTexts.sideBySide, stacked: plotTexts.stacked }}
            value={stacked ? "stacked" : "separate"}
            onChange={(next) => set({ stacked: next === "stacked" })}
          />
          <LabeledSelect
            inline
            label={plotTexts.bins}
            value={bins}
            onChange={(next) => set({ bins: Number(next) })}
          >
            {[20, 40, 80].map((n) => (
              <option key={n}>{n}</option>
            ))}
          </LabeledSelect>
        </>
      )}
    </>
  );
}
