import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openTurnOfSteps } from "./turn-of-steps.ts";

it("runs one step at a time, and the run due first keeps its place between steps", async () => {
  const turn = openTurnOfSteps();
  const order: string[] = [];
  let atOnce = 0;
  const step = (id: string, name: string, dueAt: number, failing = false) =>
    turn
      .take({ id, dueAt: new Date(dueAt) }, async () => {
        expect(++atOnce).toBe(1);
        order.push(name);
        await sleep(5);
        atOnce--;
        if (failing) throw new Error(name);
      })
      .catch(() => undefined);
  // The large run requests its second step as soon as its first ends; the small one pauses in between.
  const large = step("large", "large 1", 2000).then(() => step("large", "large 2", 2000));
  const small = step("small", "small 1", 1000, true)
    .then(() => sleep(100))
    .then(() => step("small", "small 2", 1000))
    .then(() => turn.leave("small"));
  await Promise.all([large, small]);
  expect(order).toEqual(["large 1", "small 1", "small 2", "large 2"]);
});

it("lets the current step end when closed, and starts no other", async () => {
  const turn = openTurnOfSteps();
  const order: string[] = [];
  const current = turn.take({ id: "a", dueAt: new Date(1000) }, async () => {
    await sleep(50);
    order.push("a");
  });
  void turn.take({ id: "b", dueAt: new Date(2000) }, () => Promise.resolve(order.push("b")));
  expect(await turn.close(10)).toBe(false);
  expect(await turn.close(10_000)).toBe(true);
  await current;
  await sleep(20);
  expect(order).toEqual(["a"]);
  expect(await turn.close(0)).toBe(true);
});

it("does not wait forever for a run that ended silently", async () => {
  const turn = openTurnOfSteps(20);
  await turn.take({ id: "gone", dueAt: new Date(1000) }, () => Promise.resolve());
  const late = turn.take({ id: "other", dueAt: new Date(2000) }, () => Promise.resolve("done"));
  expect(await late).toBe("done");
});
