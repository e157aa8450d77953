import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openTurnOfSteps } from "./turn-of-steps.ts";

it("lets one work at a time, and of those that wait who is due first", async () => {
  const turn = openTurnOfSteps();
  const order: string[] = [];
  let atOnce = 0;
  const step = (name: string, dueAt: number, failing = false) =>
    turn
      .take(new Date(dueAt), async () => {
        expect(++atOnce).toBe(1);
        order.push(name);
        await sleep(5);
        atOnce--;
        if (failing) throw new Error(name);
      })
      .catch(() => undefined);
  // The large run asks for its second step as soon as its first has ended; the small one waits already.
  const large = step("large 1", 2000).then(() => step("large 2", 2000));
  await Promise.all([large, step("small 1", 1000, true).then(() => step("small 2", 1000))]);
  expect(order).toEqual(["large 1", "small 1", "small 2", "large 2"]);
});
