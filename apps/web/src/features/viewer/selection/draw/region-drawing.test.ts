import { expect, it, vi } from "vitest";
import { drawRegions } from "./region-drawing.ts";

/** A minimal element stub for drawing. */
function ground() {
  const element = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    focus: () => undefined,
    setPointerCapture: () => undefined,
  }) as unknown as HTMLElement;
  const panBy = vi.fn();
  const onRegion = vi.fn();
  const toData = (x: number, y: number): [number, number] => [x, y];
  drawRegions(element, "lasso", () => ({ toData, panBy, zoomBy: () => undefined }), {
    onOutline: () => undefined,
    onRegion,
  });
  const send = (type: string, given: object = {}) =>
    element.dispatchEvent(
      Object.assign(new Event(type, { cancelable: true }), { pointerId: 1, button: 0, ...given }),
    );
  const drag = () => {
    send("pointerdown", { clientX: 0, clientY: 0 });
    for (const [clientX, clientY] of [
      [40, 0],
      [40, 40],
    ])
      send("pointermove", { clientX, clientY });
    send("pointerup", { clientX: 40, clientY: 40 });
  };
  return { send, drag, panBy, onRegion };
}

it("pans while the space bar is held, and draws again after focus moves away", () => {
  const { send, drag, panBy, onRegion } = ground();
  send("keydown", { key: " " });
  drag();
  expect([panBy.mock.calls.length, onRegion.mock.calls.length]).toEqual([2, 0]);
  send("blur");
  drag();
  expect([panBy.mock.calls.length, onRegion.mock.calls.length]).toEqual([2, 1]);
});
