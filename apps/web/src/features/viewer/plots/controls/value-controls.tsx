import { CELL_MEASURES } from "@stipple/contract/viewer-manifest";
import { Segmented } from "../../../../components/segmented.tsx";
import { plotTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { GeneChoice } from "../../genes/gene-choice.tsx";
import { useGeneAhead } from "../../genes/use-gene-ahead.ts";
import { MeasureOptions } from "../../data/measure-options.tsx";
import type { AnyMeasure } from "../../state/measures.ts";
import { usePlotSettings } from "../plot-settings.ts";
import { Choice, LabeledCheckbox, LabeledSelect } from "./labeled.tsx";
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
