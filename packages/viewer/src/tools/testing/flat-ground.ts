import { vi } from "vitest";
import type { ViewTool } from "../tool.ts";

/** Uses a tool on a stand-in of a view, where a unit is a CSS px, and plays the pointer and the keyboard. */
export function flatGround(tool: ViewTool) {
  const element = Object.assign(new EventTarget(), {
    clientWidth: 100,
    clientHeight: 80,
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    focus: () => undefined,
    setPointerCapture: () => undefined,
  }) as unknown as HTMLElement;
  const panBy = vi.fn();
  const same = (x: number, y: number): [number, number] => [x, y];
  const stop = tool.start({
    element,
    toData: same,
    toScreen: same,
    panBy,
    zoomBy: () => undefined,
  });
  const send = (type: string, given: object = {}) => {
    const event = Object.assign(new Event(type, { cancelable: true }), {
      pointerId: 1,
      button: 0,
      buttons: 0,
      ...given,
    });
    element.dispatchEvent(event);
    return event;
  };
  const place = ([clientX, clientY]: readonly [number, number], more: object = {}) => ({
    clientX,
    clientY,
    ...more,
  });
  return {
    panBy,
    stop,
    send,
    /** Presses at the first place, moves through the others, and releases at the last. */
    drag(places: readonly (readonly [number, number])[], more: object = {}) {
      send("pointerdown", place(places[0]!, more));
      for (const next of places.slice(1)) send("pointermove", place(next, { ...more, buttons: 1 }));
      send("pointerup", place(places.at(-1)!, more));
    },
    hover: (x: number, y: number) => void send("pointermove", place([x, y])),
    /** Whether the tool used the key. */
    press: (key: string, more: object = {}) => send("keydown", { key, ...more }).defaultPrevented,
  };
}
