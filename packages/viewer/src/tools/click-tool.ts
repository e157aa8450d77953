import { clicks, middleOf } from "./clicks.ts";
import type { ViewTool } from "./tool.ts";

/**
 * Tells clicks in drawing units; the key `middle` clicks in the middle of the view. Dragging still moves the view. `onKey`:
 * another key; true if it was used.
 */
export function clickTool({
  onClick,
  onKey = () => false,
  middle = "c",
}: {
  onClick(x: number, y: number): void;
  onKey?(key: string): boolean;
  middle?: "c" | "enter";
}): ViewTool {
  return {
    start(ground) {
      const click = ({ x, y }: { x: number; y: number }) => onClick(...ground.toData(x, y));
      return clicks(ground, {
        onClick: click,
        onHover: () => undefined,
        onKey(key) {
          if (key.toLowerCase() !== middle) return onKey(key);
          click(middleOf(ground));
          return true;
        },
      });
    },
  };
}
