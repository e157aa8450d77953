import { clicks, middleOf } from "./clicks.ts";
import type { ViewTool } from "./tool.ts";

/** Tells clicks in drawing units; C clicks in the middle of the view. `onKey`: another key; true if it was used. */
export function clickTool({
  onClick,
  onKey,
}: {
  onClick(x: number, y: number): void;
  onKey(key: string): boolean;
}): ViewTool {
  return {
    start(ground) {
      const click = (place: { x: number; y: number }) =>
        onClick(...ground.toData(place.x, place.y));
      return clicks(ground, {
        onClick: click,
        onHover: () => undefined,
        onKey(key) {
          if (key.toLowerCase() !== "c") return onKey(key);
          click(middleOf(ground));
          return true;
        },
      });
    },
  };
}
