import { useCallback, useEffect, useRef, useState } from "react";
import { useViewer } from "../../state/viewer-context.tsx";
import { drawPage, type DrawnPage, type ViewCache } from "../drawing/draw-page.ts";
import type { ReadPanel } from "../drawing/panel-reader.tsx";
import type { PaperFigure } from "../figures.ts";

/** Enough for the screen. */
const PREVIEW_DPI = 130;

/** A figure's page for the screen, drawn again when it changes, and what draws it for a file. */
export function useDrawnPage(figure: PaperFigure | undefined) {
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
