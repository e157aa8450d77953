import { memo, Suspense, useCallback, useEffect, useState } from "react";
import { lazyPart } from "../../../../app/load-code.ts";
import type { Figure } from "../../plots/figure/figure.ts";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { useViewer, useViewerState, ViewerProvider } from "../../state/viewer-context.tsx";
import type { ViewerStore } from "../../state/viewer-store.ts";
import type { FigurePanel } from "../figures.ts";
import { panelStore } from "./panel-state.ts";
import { ViewReader, type ReadView } from "./view-reader.tsx";

const PlotReader = lazyPart(() => import("./plot-reader.tsx"), "PlotReader");

/** What a panel shows, or why it shows nothing. */
export type ReadPanel =
  ReadView | { kind: "plot"; figure: Figure } | { kind: "nothing"; why: string };

/** Reads what a panel shows, from the state it was made with. Shows nothing itself. */
export const PanelReader = memo(function PanelReader({
  panel,
  onRead,
}: {
  panel: Pick<FigurePanel, "id" | "query" | "selection" | "drawing">;
  onRead: (id: string, read: ReadPanel) => void;
}) {
  const viewer = useViewer();
  const { id, query, selection, drawing } = panel;
  const store = usePanelStore(panel);
  const take = useCallback((read: ReadPanel) => onRead(id, read), [id, onRead]);
  const fail = useCallback((why: string) => take({ kind: "nothing", why }), [take]);
  if (!store) return null;
  const key = `${query} ${selection?.cells ?? ""} ${JSON.stringify(drawing)}`;
  return (
    <ViewerProvider key={key} value={{ ...viewer, ...viewer.computed, store }}>
      <div hidden>
        {drawing.kind === "view" ? (
          <ViewReader of={drawing.of} onRead={take} onFailed={fail} />
        ) : (
          <Suspense>
            <PlotReader
              part={drawing.part}
              onRead={(figure) => take({ kind: "plot", figure })}
              onFailed={fail}
            />
          </Suspense>
        )}
      </div>
    </ViewerProvider>
  );
});

/** The state that a panel was made with, with what the project has by now; null until it is read. */
function usePanelStore(panel: Pick<FigurePanel, "query" | "selection" | "drawing">) {
  const { store: page, manifest } = useViewer();
  const cellsKey = useAnnotations((state) => state.cells);
  const groups = useViewerState((state) => state.groups);
  const assigned = useViewerState((state) => state.assigned);
  const edits = useViewerState((state) => state.projectEdits);
  const clusterings = useViewerState((state) => state.clusterings);
  const [store, setStore] = useState<ViewerStore | null>(null);
  const { nCells } = manifest;
  // Panels of the same state are equal: annotations are new objects after every change.
  const kept = JSON.stringify([panel.query, panel.selection, panel.drawing]);
  useEffect(() => {
    let isGone = false;
    const [query, selection, drawing] = JSON.parse(kept) as [
      FigurePanel["query"],
      FigurePanel["selection"],
      FigurePanel["drawing"],
    ];
    panelStore(page, { query, selection, drawing }, { cellsKey, nCells })
      .then((read) => !isGone && setStore(read))
      .catch(console.error);
    return () => {
      isGone = true;
    };
  }, [page, kept, cellsKey, nCells, groups, assigned, edits, clusterings]);
  return store;
}
