import { Dialog } from "@base-ui/react/dialog";
import { Maximize2, X } from "lucide-react";
import { useCallback, useState, type ReactNode } from "react";
import { plotTexts } from "./texts.ts";
import { viewerTexts } from "../texts.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { ChosenPlot } from "./chosen-plot.tsx";
import { CellsControls, GenesControls, ValueControls } from "./controls/cell-plot-controls.tsx";
import { LabeledSelect } from "./controls/labeled.tsx";
import { TissueControls } from "./controls/tissue-controls.tsx";
import {
  CELL_PLOTS,
  TISSUE_PLOTS,
  isTissuePlot,
  usePlotSettings,
  type CellPlot as CellPlotName,
  type PlotSettings,
  type TissuePlot,
} from "./plot-settings.ts";
import { Options } from "../../../components/field.tsx";

/** Plots of the cells and of the analysis's statistics: narrow next to the views, or filling the window. */
export function PlotsPanel() {
  const [large, setLarge] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <Dialog.Root open={large} onOpenChange={setLarge}>
        <div className="flex flex-col gap-3">
          <Controls
            beside={
              <Dialog.Trigger
                aria-label={plotTexts.enlarge}
                title={plotTexts.enlarge}
                className="grid size-9 shrink-0 place-items-center rounded-control border border-line-input/60 bg-card text-ink-2 hover:bg-raised hover:text-ink"
              >
                <Maximize2 aria-hidden className="size-4" />
              </Dialog.Trigger>
            }
          />
        </div>
        {!large && <Plot />}
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
          <Dialog.Popup className="fixed inset-0 z-50 flex flex-col bg-card outline-none sm:inset-4 sm:rounded-card sm:border sm:border-line sm:shadow-xl">
            <div className="flex items-center justify-between border-b border-line py-2 pr-3 pl-5">
              <Dialog.Title className="text-base font-semibold">
                {viewerTexts.panels.plots}
              </Dialog.Title>
              <Dialog.Close
                aria-label={viewerTexts.closeTool(viewerTexts.panels.plots)}
                className="grid size-8 place-items-center rounded-control text-ink-3 hover:bg-raised hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </Dialog.Close>
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain md:grid md:grid-cols-[19rem_minmax(0,1fr)] md:overflow-hidden">
              <div className="flex flex-col gap-3 p-4 md:overflow-y-auto md:border-r md:border-line">
                <Controls />
              </div>
              <div className="p-4 md:overflow-y-auto md:p-6">
                <div className="mx-auto max-w-5xl">
                  <Plot onLook={() => setLarge(false)} />
                </div>
              </div>
            </div>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </div>
  );
}

function Controls({ beside }: { beside?: ReactNode }) {
  const [{ plot }, set] = usePlotSettings();
  return (
    <>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <LabeledSelect
            label={plotTexts.plot}
            value={plot}
            onChange={(next) => set({ plot: next as PlotSettings["plot"] })}
          >
            <PlotOptions label={plotTexts.cellPlots} plots={CELL_PLOTS} />
            <PlotOptions label={plotTexts.tissuePlots} plots={TISSUE_PLOTS} />
          </LabeledSelect>
        </div>
        {beside}
      </div>
      {isTissuePlot(plot) ? (
        <TissueControls plot={plot} />
      ) : (
        <>
          {plot === "violin" || plot === "histogram" ? <ValueControls /> : <GenesControls />}
          <CellsControls />
        </>
      )}
    </>
  );
}

function PlotOptions({
  label,
  plots,
}: {
  label: string;
  plots: readonly (CellPlotName | TissuePlot)[];
}) {
  return (
    <optgroup label={label}>
      <Options of={plots.map((plot) => [plot, plotTexts.plots[plot]])} />
    </optgroup>
  );
}

/** The chosen plot. `onLook` uncovers the cells; omitted where they are not covered. */
function Plot({ onLook }: { onLook?: () => void }) {
  const { store } = useViewer();
  const [colored, setColored] = useState<string | null>(null);
  const colorBy = useCallback(
    (gene: string) => {
      store.setState({ colorBy: "gene", gene });
      setColored(gene);
    },
    [store],
  );
  return (
    <div className="flex flex-col gap-5">
      <p role="status" className={colored === null ? "sr-only" : "text-xs text-ink-2"}>
        {colored !== null && plotTexts.colored(colored)}{" "}
        {colored !== null && onLook && (
          <button
            type="button"
            onClick={onLook}
            className="min-h-6 text-primary underline underline-offset-2"
          >
            {plotTexts.lookAtCells}
          </button>
        )}
      </p>
      <ChosenPlot onGene={colorBy} />
    </div>
  );
}
