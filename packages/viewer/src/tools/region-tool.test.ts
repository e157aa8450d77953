import { expect, it, vi } from "vitest";
import { regionTool } from "./region-tool.ts";

/** A minimal element stub for drawing. */
function ground() {
  const element = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    focus: () => undefined,
    setPointerCapture: () => undefined,
  }) as unknown as HTMLElement;
  const panBy = vi.fn();
  const onRegion = vi.fn();
  const onOutline = vi.fn();
  const same = (x: number, y: number): [number, number] => [x, y];
  const stop = regionTool("lasso", { onOutline, onRegion }).start({
    element,
    toData: same,
    toScreen: same,
    panBy,
    zoomBy: () => undefined,
  });
  const send = (type: string, given: object = {}) =>
    element.dispatchEvent(
      Object.assign(new Event(type, { cancelable: true }), { pointerId: 1, button: 0, ...given }),
    );
  const press = () => {
    send("pointerdown", { clientX: 0, clientY: 0 });
    for (const [clientX, clientY] of [
      [40, 0],
      [40, 40],
    ])
      send("pointermove", { clientX, clientY });
  };
  const drag = () => {
    press();
    send("pointerup", { clientX: 40, clientY: 40, altKey: true });
  };
  return { send, press, drag, stop, panBy, onRegion, onOutline };
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

it("gives a region with what the held key means, then shows no outline", () => {
  const { drag, onRegion, onOutline } = ground();
  drag();
  expect(onRegion).toHaveBeenCalledWith(Float64Array.of(0, 0, 40, 0, 40, 40), "subtract");
  expect(onOutline).toHaveBeenLastCalledWith(null);
});

it("gives up a region at Escape, at a second finger, and when the tool ends", () => {
  for (const end of ["escape", "finger", "stop"]) {
    const { send, press, stop, onRegion, onOutline } = ground();
    press();
    expect(onOutline).not.toHaveBeenLastCalledWith(null);
    if (end === "escape") send("keydown", { key: "Escape" });
    else if (end === "finger") send("pointerdown", { clientX: 9, clientY: 9, pointerId: 2 });
    else stop();
    expect(onOutline).toHaveBeenLastCalledWith(null);
    send("pointerup", { clientX: 40, clientY: 40 });
    expect(onRegion).not.toHaveBeenCalled();
  }
});
