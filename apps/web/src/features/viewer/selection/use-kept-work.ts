import { useEffect } from "react";
import { loadCode } from "../../../app/load-code.ts";
import { NO_CELLS } from "@stipple/viewer/source";
import { useViewer } from "../state/viewer-context.tsx";

/**
 * Keeps this page's groups and selection in its tab, and its names and colors in this browser; separately for the
 * owner's link and for share links. The code for it is loaded once the cells are drawn.
 */
export function useKeptWork(): void {
  const { store, annotations, source, cells, projectId, readOnly } = useViewer();
  // As the analysis wrote it: it stays the same one while names and assignments change.
  const { manifest } = source;
  const ready = cells !== NO_CELLS;
  useEffect(() => {
    if (!ready) return;
    const whose = readOnly ? "guest" : "owner";
    let stop = (): void => undefined;
    let isGone = false;
    const start = async (): Promise<void> => {
      const { keepLooks, keepWork } = await loadCode(() => import("./kept.ts"));
      if (isGone) return;
      const stops = [
        keepLooks(store, manifest, `stipple.looks.${projectId}.${whose}`, () => localStorage),
        keepWork(
          store,
          annotations,
          manifest,
          `stipple.view.${projectId}.${whose}`,
          () => sessionStorage,
        ),
      ];
      stop = () => stops.forEach((each) => each());
    };
    void start();
    return () => {
      isGone = true;
      stop();
    };
  }, [ready, store, annotations, manifest, projectId, readOnly]);
}
