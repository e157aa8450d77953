import { clicks, middleOf } from "./clicks.ts";
import type { ViewTool } from "./tool.ts";

/** Tells places in drawing units: where one clicks, or the middle of the view with Enter. Dragging still moves the view. */
export function placeTool(onPlace: (x: number, y: number) => void): ViewTool {
  return {
    start(ground) {
      const tell = ({ x, y }: { x: number; y: number }) => onPlace(...ground.toData(x, y));
      return clicks(ground, {
        onClick: tell,
        onHover: () => undefined,
        onKey(key) {
          if (key !== "Enter") return false;
          tell(middleOf(ground));
          return true;
        },
      });
    },
  };
}
