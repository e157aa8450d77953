import { ImagePlus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { HelpLink } from "../../../../components/help-link.tsx";
import { useToast } from "../../../../components/toast-store.ts";
import { shownValueNames } from "../../coloring/shown-value-names.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { addPanel, viewDrawing } from "../add-panel.ts";
import { PanelReader } from "../drawing/panel-reader.tsx";
import { composerTexts as texts } from "../texts.ts";
import { useFigures } from "../use-figures.ts";
import { FigureChoice } from "./figure-choice.tsx";
import { PageForm } from "./page-form.tsx";
import { PagePreview } from "./page-preview.tsx";
import { PanelForm } from "./panel-form.tsx";
import { SaveButtons } from "./save-buttons.tsx";
import { useDrawnPage } from "./use-drawn-page.ts";

/** Figures for papers: panels from views and plots on a page. */
export function ComposerPanel() {
  const { open, change, mayEdit } = useFigures();
  const figure = open?.value;
  const { page, isDrawing, isRead, onRead, drawFor } = useDrawnPage(figure);
  const [chosen, setChosen] = useState<string | null>(null);
  const panel = figure?.panels.find(({ id }) => id === chosen);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-[0.8125rem] text-ink-2">
        {texts.intro} {!mayEdit && texts.readOnly} <HelpLink page="figures" />
      </p>
      <FigureChoice />
      {figure && figure.panels.length > 0 && (
        <PagePreview figure={figure} page={page} chosen={chosen} onChoose={setChosen} />
      )}
      <p role="status" className="text-[0.8125rem] text-ink-3 empty:hidden">
        {figure?.panels.length === 0 ? texts.empty : figure && isDrawing ? texts.drawing : null}
      </p>
      {mayEdit && <AddViews />}
      {figure && figure.panels.length > 0 && (
        <>
          <SaveButtons figure={figure} disabled={!isRead} drawFor={drawFor} />
          {page && page.remarks.length > 0 && (
            <ul aria-label={texts.remarks} className="list-disc pl-4 text-xs text-ink-2">
              {page.remarks.map((remark) => (
                <li key={remark}>{remark}</li>
              ))}
            </ul>
          )}
        </>
      )}
      {figure && mayEdit && (
        <>
          {panel && <PanelForm key={panel.id} figure={figure} panel={panel} onChange={change} />}
          <PageForm key={open.id} figure={figure} onChange={change} />
        </>
      )}
      {figure?.panels.map((one) => (
        <PanelReader key={one.id} panel={one} onRead={onRead} />
      ))}
    </div>
  );
}

/** Adds the views that are shown, as they are now. */
function AddViews() {
  const page = useViewer();
  const toast = useToast();
  const arrangement = useViewerState((state) => state.arrangement);
  const places = useViewerState((state) => state.places);
  const shown = arrangement === "both" ? (["tissue", "umap"] as const) : ([arrangement] as const);
  return (
    <div className="flex flex-wrap gap-2">
      {shown.map((of) => (
        <Button
          key={of}
          size="sm"
          disabled={places[of] === null}
          icon={<ImagePlus aria-hidden className="size-3.5" />}
          onClick={() => {
            const drawing = viewDrawing(page, of);
            if (!drawing) return;
            const title = shownValueNames(page.store.getState()).join(" + ");
            void addPanel(page, drawing, title).then((text) => toast(text));
          }}
        >
          {texts.addView(texts.views[of])}
        </Button>
      ))}
    </div>
  );
}
