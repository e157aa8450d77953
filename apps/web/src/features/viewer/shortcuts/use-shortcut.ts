import { useEffect, useRef } from "react";
import { isShortcut, isForPage } from "./shortcut-keys.ts";
import type { RegionTool } from "../state/region-work.ts";
import { useViewer } from "../state/viewer-context.tsx";
import type { Tool } from "../state/viewer-store.ts";
import { redoAnnotations, undoAnnotations } from "../annotations/annotation-store.ts";

/** Calls `onKey` for every key press on the page that is a shortcut. */
export function useShortcut(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isShortcut(event)) latest.current(event);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

const TOOL_KEYS: Readonly<Record<string, Tool>> = {
  v: "pan",
  l: "lasso",
  r: "rectangle",
  m: "ruler",
  escape: "pan",
};
/** For those who may draw. */
const REGION_KEYS: Readonly<Record<string, RegionTool>> = {
  p: "polygon",
  f: "freehand",
  b: "brush",
  e: "eraser",
  k: "corners",
};

/** Gives the pointer to a tool by its key; one that draws regions opens their panel. */
export function useToolKeys(): void {
  const { annotations, store } = useViewer();
  useShortcut((event) => {
    const key = event.key.toLowerCase();
    const tool = TOOL_KEYS[key];
    if (tool) store.setState({ tool });
    const draws = annotations.getState().mayEdit && REGION_KEYS[key];
    if (draws) store.setState({ tool: draws, panel: "regions" });
  });
}

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
