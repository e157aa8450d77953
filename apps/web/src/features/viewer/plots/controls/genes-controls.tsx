import { useState } from "react";
import { Segmented } from "../../../../components/segmented.tsx";
import { plotTexts } from "../../../../texts/viewer-plots.ts";
import { GeneChips } from "../../genes/gene-chips.tsx";
import { GeneSearch } from "../../genes/gene-search.tsx";
import { MARKERS_A_GROUP, usePlotSettings } from "../plot-settings.ts";
import { LabelledSelect } from "./labelled.tsx";
import { LayerControls } from "./layer-controls.tsx";

/** Which genes dot plots and heatmaps show, and how they are colored. */
export function GenesControls() {
  const [{ geneSource, markersAGroup, genes, standardised }, set] = usePlotSettings();
  // The search box is reset after adding its gene.
  const [added, setAdded] = useState(0);
  return (
    <>
      <Segmented
        label={plotTexts.genes}
        choices={(["markers", "set", "list"] as const).map((value) => ({
          value,
          label: plotTexts.geneSources[value],
        }))}
        value={geneSource}
        onChange={(next) => set({ geneSource: next })}
      />
      {geneSource === "markers" && (
        <LabelledSelect
          inline
          label={plotTexts.markersAGroup}
          value={markersAGroup}
          onChange={(next) => set({ markersAGroup: Number(next) })}
        >
          {MARKERS_A_GROUP.map((n) => (
            <option key={n}>{n}</option>
          ))}
        </LabelledSelect>
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
        choices={[
          { value: "standardised", label: plotTexts.asStandardised },
          { value: "mean", label: plotTexts.asMeasured },
        ]}
        value={standardised ? "standardised" : "mean"}
        onChange={(next) => set({ standardised: next === "standardised" })}
      />
    </>
  );
}
