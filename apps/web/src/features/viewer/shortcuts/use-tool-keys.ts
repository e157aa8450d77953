import type { RegionTool } from "../state/region-work.ts";
import { useViewer } from "../state/viewer-context.tsx";
import type { Tool } from "../state/viewer-store.ts";
import { useShortcut } from "./use-shortcut.ts";

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
