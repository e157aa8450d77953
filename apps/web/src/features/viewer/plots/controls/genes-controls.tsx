import { X } from "lucide-react";
import { useState } from "react";
import { Segmented } from "../../../../components/segmented.tsx";
import { plotTexts } from "../../../../texts/viewer-plots.ts";
import { viewerTexts } from "../../../../texts/viewer.ts";
import { GeneSearch } from "../../genes/gene-search.tsx";
import { MARKERS_A_GROUP, usePlotSettings } from "../plot-settings.ts";
import { LabelledSelect } from "./labelled.tsx";
import { LayerControls } from "./layer-controls.tsx";

/** Which genes dot plots and heatmaps show, and how they are coloured. */
export function GenesControls() {
  const [{ geneSource, markersAGroup, genes, standardised }, set] = usePlotSettings();
  // A search box that has just added its gene starts anew.
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
          <ul className="flex flex-wrap gap-1.5">
            {genes.map((gene) => (
              <li
                key={gene}
                className="flex items-center gap-1 rounded-full bg-raised py-0.5 pr-1 pl-2.5 text-xs"
              >
                {gene}
                <button
                  type="button"
                  aria-label={viewerTexts.scoreRemove(gene)}
                  onClick={() => set({ genes: genes.filter((other) => other !== gene) })}
                  className="grid size-6 place-items-center rounded-full text-ink-3 hover:text-ink"
                >
                  <X aria-hidden className="size-3" />
                </button>
              </li>
            ))}
          </ul>
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
