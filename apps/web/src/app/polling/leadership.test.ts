import { afterEach, describe, expect, it } from "vitest";
import { seekLeadership, type Surroundings } from "./leadership.ts";

/** A tab with the real locks of this process, which can be shown and hidden. */
function tab(name: string, shown = true) {
  let listener = (): void => undefined;
  let visible = shown;
  const changes: boolean[] = [];
  const surroundings: Surroundings = {
    locks: navigator.locks,
    isVisible: () => visible,
    onVisibility: (call) => {
      listener = call;
      return () => (listener = () => undefined);
    },
  };
  const close = seekLeadership(name, (leads) => changes.push(leads), surroundings);
  const one = {
    leads: () => changes.at(-1) ?? false,
    show(now: boolean) {
      visible = now;
      listener();
    },
    close,
  };
  open.push(one);
  return one;
}

const open: { close(): void }[] = [];
afterEach(() => open.splice(0).forEach(({ close }) => close()));

let names = 0;
const freshName = (): string => `test.${names++}`;
const settled = (look: () => unknown): Promise<void> => expect.poll(look).toBe(true);

describe("the polling tab", () => {
  it("is the most recently shown one, and never two", async () => {
    const name = freshName();
    const first = tab(name);
    await settled(() => first.leads());
    const second = tab(name);
    await settled(() => second.leads() && !first.leads());
    first.show(true);
    await settled(() => first.leads() && !second.leads());
  });

  it("a hidden tab never takes over, but continues if it leads", async () => {
    const name = freshName();
    const shown = tab(name);
    await settled(() => shown.leads());
    const hidden = tab(name, false);
    shown.show(false);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([shown.leads(), hidden.leads()]).toEqual([true, false]);
  });

  it("when it closes, the next in line follows", async () => {
    const name = freshName();
    const [first, second] = [tab(name), tab(name)];
    await settled(() => second.leads() && !first.leads());
    second.close();
    await settled(() => first.leads());
    expect(second.leads()).toBe(false);
  });

  it("different requests have separate leaders", async () => {
    const [one, other] = [tab(freshName()), tab(freshName())];
    await settled(() => one.leads() && other.leads());
  });

  it("without browser support for locks, every tab leads for itself", () => {
    const changes: boolean[] = [];
    const stop = seekLeadership("any", (leads) => changes.push(leads), {
      locks: undefined,
      isVisible: () => true,
      onVisibility: () => () => undefined,
    });
    stop();
    expect(changes).toEqual([true, false]);
  });
});
