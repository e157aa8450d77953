import { useEffect } from "react";
import { NO_CELLS } from "../data/cells.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { keepWork } from "./kept-work.ts";

/** Keeps the groups and the selection of this page in its tab, apart for the owner's link and for share links. */
export function useKeptWork(): void {
  const { store, manifest, cells, projectId, readOnly } = useViewer();
  const ready = cells !== NO_CELLS;
  useEffect(() => {
    if (!ready) return;
    const key = `stipple.view.${projectId}.${readOnly ? "guest" : "owner"}`;
    return keepWork(store, manifest, key, () => window.sessionStorage);
  }, [ready, store, manifest, projectId, readOnly]);
}
