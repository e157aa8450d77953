import { useEffect } from "react";
import { isForPage } from "../shortcuts/shortcut-keys.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { redoAnnotations, undoAnnotations } from "./annotation-store.ts";

/** Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) undo and redo changes of annotations, unless text is being edited. */
export function useUndoKeys(): void {
  const { annotations } = useViewer();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { mayEdit } = annotations.getState();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !mayEdit || !isForPage(event))
        return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) redoAnnotations(annotations);
      else undoAnnotations(annotations);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [annotations]);
}
