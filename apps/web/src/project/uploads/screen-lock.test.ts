import { afterEach, expect, it, vi } from "vitest";
import { keepScreenOn, letScreenSleep } from "./uploads.ts";

afterEach(() => vi.unstubAllGlobals());

it("reacquires the screen lock when the tab becomes visible, and releases every lock", async () => {
  const tab = Object.assign(new EventTarget(), { visibilityState: "visible" });
  let held = 0;
  const release = () => Promise.resolve(void (held -= 1));
  const request = vi.fn(() => Promise.resolve(((held += 1), { release })));
  vi.stubGlobal("document", tab);
  vi.stubGlobal("navigator", { wakeLock: { request } });
  const turn = async (visibilityState: string) => {
    Object.assign(tab, { visibilityState }).dispatchEvent(new Event("visibilitychange"));
    await Promise.resolve();
  };
  keepScreenOn();
  await turn("hidden");
  expect(request).toHaveBeenCalledTimes(1);
  await turn("visible");
  expect(request).toHaveBeenCalledTimes(2);
  expect(held).toBe(1);
  letScreenSleep();
  expect(held).toBe(0);
  await turn("visible");
  expect(request).toHaveBeenCalledTimes(2);
});
