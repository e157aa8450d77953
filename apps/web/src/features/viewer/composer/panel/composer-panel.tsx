import { useMutation } from "@tanstack/react-query";
import { HelpLink } from "../../../../components/help-link.tsx";
import { shownValueNames } from "../../coloring/shown-value-names.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { AddButtons } from "../add-buttons.tsx";
import { viewDrawing, addFigure } from "../add-panel.ts";
import { PanelReader, type ReadPanel } from "../drawing/panel-reader.tsx";
import { composerTexts as texts } from "../texts.ts";
import { useFigures } from "../use-figures.ts";
import { PageForm } from "./page-form.tsx";
import { PagePreview } from "./page-preview.tsx";
import { PanelForm } from "./panel-form.tsx";
import { Copy, Plus, Trash2, Download } from "lucide-react";
import { IconButton } from "../../../../components/icon-button.tsx";
import { LabeledSelect } from "../../plots/controls/labeled.tsx";
import { useCallback, useEffect, useRef, useState } from "react";
import { drawPage, type DrawnPage, type ViewCache } from "../drawing/draw-page.ts";
import type { PaperFigure } from "../figures.ts";
import { Button } from "../../../../components/button.tsx";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { StatusMessage } from "../../../../components/status-message.tsx";
import { loadCode } from "../../../../app/load-code.ts";
import { FileSaving } from "../../sharing/file-saving.tsx";
import { pictureStyle } from "../files/fonts.ts";
import { pngFile } from "../files/png.ts";
import { Options } from "../../../../components/field.tsx";
import { shortened } from "@stipple/contract/shortened";

const KINDS = ["svg", "pdf", "png"] as const;

/** Enough for the screen. */
const PREVIEW_DPI = 130;

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

/** The project's figures: one is open; a new one, a copy, and what deletes it. */
function FigureChoice() {
  const page = useViewer();
  const { figures, open, change, mayEdit } = useFigures();
  return (
    <div className="flex items-end gap-1">
      <div className="min-w-0 flex-1">
        <LabeledSelect
          label={texts.figure}
          value={open?.id ?? ""}
          onChange={(paperFigure) => page.store.setState({ paperFigure })}
        >
          {!open && <option value="">{texts.none}</option>}
          <Options of={figures.map(({ id, value }) => [id, value.name])} />
        </LabeledSelect>
      </div>
      {mayEdit && (
        <>
          <IconButton icon={Plus} label={texts.newFigure} onClick={() => addFigure(page)} />
          {open && (
            <>
              <IconButton
                icon={Copy}
                label={texts.copy}
                onClick={() => {
                  const name = texts.copied(shortened(open.value.name, 70));
                  addFigure(page, { ...open.value, name });
                }}
              />
              <IconButton
                icon={Trash2}
                label={texts.remove(open.value.name)}
                onClick={() => change(null)}
              />
            </>
          )}
        </>
      )}
    </div>
  );
}

/** A figure's page for the screen, drawn again when it changes, and what draws it for a file. */
function useDrawnPage(figure: PaperFigure | undefined) {
  const { source } = useViewer();
  const [read, setRead] = useState<ReadonlyMap<string, ReadPanel>>(new Map());
  const [page, setPage] = useState<DrawnPage | null>(null);
  const [isDrawing, setIsDrawing] = useState(false);
  const cache = useRef<ViewCache>(new Map());

  const onRead = useCallback(
    (id: string, panel: ReadPanel) =>
      setRead((before) =>
        before.get(id) === panel ? before : new Map([...before, [id, panel] as const]),
      ),
    [],
  );
  const isRead = figure?.panels.every(({ id }) => read.has(id)) ?? false;

  useEffect(() => {
    if (!figure || !isRead) return;
    const ending = new AbortController();
    setIsDrawing(true);
    drawPage({ figure, read, dpi: PREVIEW_DPI, source, cache: cache.current }, ending.signal)
      .then(setPage)
      .catch((error: unknown) => !ending.signal.aborted && console.error(error))
      .finally(() => !ending.signal.aborted && setIsDrawing(false));
    return () => ending.abort();
  }, [figure, isRead, read, source]);

  const drawFor = async (wanted: PaperFigure): Promise<DrawnPage> =>
    drawPage(
      { figure: wanted, read, dpi: wanted.dpi, source, cache: new Map() },
      new AbortController().signal,
    );
  return { page, isDrawing: isDrawing || !isRead, isRead, onRead, drawFor };
}

type FileKind = (typeof KINDS)[number];

/** Saves the page as a file of its size and resolution. */
function SaveButtons({
  figure,
  disabled,
  drawFor,
}: {
  figure: PaperFigure;
  disabled: boolean;
  drawFor: (figure: PaperFigure) => Promise<DrawnPage>;
}) {
  const { projectName } = useViewer();
  const { mutate, isPending, isError, variables } = useMutation({
    mutationFn: async (kind: FileKind) => {
      const file = await fileOf(kind, figure, await drawFor(figure));
      saveFile(file, `${fileName(projectName, figure.name)}.${kind}`);
    },
    onError: console.error,
  });
  const saving = isPending ? variables : null;

  return (
    <FileSaving>
      <div role="group" aria-label={texts.save} className="flex flex-wrap gap-2">
        {KINDS.map((kind) => (
          <Button
            key={kind}
            size="sm"
            busy={saving === kind}
            disabled={disabled || (saving !== null && saving !== kind)}
            aria-label={texts.saveAs(kind)}
            icon={Download}
            onClick={() => mutate(kind)}
          >
            {kind.toUpperCase()}
          </Button>
        ))}
      </div>
      <p role="status" className="sr-only">
        {saving && texts.saving(saving)}
      </p>
      <StatusMessage text={isError ? texts.failed : null} failed />
    </FileSaving>
  );
}

async function fileOf(kind: FileKind, figure: PaperFigure, page: DrawnPage): Promise<Blob> {
  if (kind === "svg") return new Blob([page.svg()], { type: "image/svg+xml" });
  if (kind === "png") return pngFile(figure, page.svg(await pictureStyle()));
  const { pdfFile } = await loadCode(() => import("../files/pdf.ts"));
  return pdfFile(figure, page.svg());
}
