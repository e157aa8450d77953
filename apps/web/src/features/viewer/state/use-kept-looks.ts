import { useEffect } from "react";
import { keepLooks } from "./kept-looks.ts";
import { useViewer } from "./viewer-context.tsx";

/** Keeps the user's names and colors in this browser, separately for the owner's link and for share links. */
export function useKeptLooks(): void {
  const { store, manifest, projectId, readOnly } = useViewer();
  useEffect(() => {
    const key = `stipple.looks.${projectId}.${readOnly ? "guest" : "owner"}`;
    return keepLooks(store, manifest, key, () => window.localStorage);
  }, [store, manifest, projectId, readOnly]);
}
