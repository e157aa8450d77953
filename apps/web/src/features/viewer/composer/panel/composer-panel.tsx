import { HelpLink } from "../../../../components/help-link.tsx";
import { shownValueNames } from "../../coloring/shown-value-names.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { AddButtons } from "../add-buttons.tsx";
import { viewDrawing } from "../add-panel.ts";
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
  const { store } = useViewer();
  const chosen = useViewerState((state) => state.paperPanel);
  const panel = figure?.panels.find(({ id }) => id === chosen);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-[0.8125rem] text-ink-2">
        {texts.intro} {!mayEdit && texts.readOnly} <HelpLink page="figures" />
      </p>
      <FigureChoice />
      {figure && figure.panels.length > 0 && (
        <PagePreview
          figure={figure}
          page={page}
          chosen={chosen}
          onChoose={(id) => store.setState({ paperPanel: id === chosen ? null : id })}
        />
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
  const arrangement = useViewerState((state) => state.arrangement);
  const places = useViewerState((state) => state.places);
  const shown = arrangement === "both" ? (["tissue", "umap"] as const) : ([arrangement] as const);
  return (
    <div className="flex flex-wrap gap-2">
      {shown.map((of) => (
        <AddButtons
          key={of}
          label={texts.addView(texts.views[of])}
          replaceLabel={(letter) => texts.replaceWith(letter, texts.views[of])}
          name={texts.views[of]}
          disabled={places[of] === null}
          title={() => shownValueNames(page.store.getState()).join(" + ")}
          drawing={() => viewDrawing(page, of)}
        />
      ))}
    </div>
  );
}
