import type { LayersList } from "@deck.gl/core";
import type { ToolGround, ViewTool } from "../tools/tool.ts";

/** The tool that has the pointer, if any. */
export interface ToolUse {
  /** What the tool draws. */
  readonly layers: LayersList;
  use(tool: ViewTool | null): void;
}

/** `ground`: the view without what is drawn on it; `onPicks`: whether a tool's layers must know the pointer. */
export function toolUse(
  ground: Omit<ToolGround, "draw">,
  onPicks: (picks: boolean) => void,
  onDraw: () => void,
): ToolUse {
  let layers: LayersList = [];
  let stop: (() => void) | undefined;
  const draw = (next: LayersList) => {
    layers = next;
    onDraw();
  };
  return {
    get layers() {
      return layers;
    },
    use(tool) {
      stop?.();
      stop = undefined;
      if (layers.length > 0) draw([]);
      onPicks(tool?.picks ?? false);
      stop = tool?.start({ ...ground, draw });
    },
  };
}
