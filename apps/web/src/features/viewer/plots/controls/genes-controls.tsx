import { useState } from "react";
import { Segmented } from "../../../../components/segmented.tsx";
import { plotTexts } from "../texts.ts";
import { GeneChips } from "../../genes/gene-chips.tsx";
import { GeneSearch } from "../../genes/gene-search.tsx";
import { MARKERS_A_GROUP, usePlotSettings } from "../plot-settings.ts";
import { Choice } from "./labeled.tsx";
import { LayerControls } from "./layer-controls.tsx";

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
