import { useEffect } from "react";
import { NO_CELLS } from "../data/cells.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { keepWork } from "./kept-work.ts";

/** Keeps this page's groups and selection in its tab, separately for the owner's link and for share links. */
export function useKeptWork(): void {
  const { store, manifest, cells, projectId, readOnly } = useViewer();
  const ready = cells !== NO_CELLS;
  useEffect(() => {
    if (!ready) return;
    const key = `stipple.view.${projectId}.${readOnly ? "guest" : "owner"}`;
    return keepWork(store, manifest, key, () => window.sessionStorage);
  }, [ready, store, manifest, projectId, readOnly]);
}
