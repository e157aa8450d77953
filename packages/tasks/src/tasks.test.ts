import { expect, it } from "vitest";
import { CancelledError } from "./cancellation.ts";
import { openTasks } from "./open-tasks.ts";
import type { Tasks } from "./task.ts";
import { patient } from "./testing/patient-task.ts";
import { slowSquare } from "./testing/slow-square-task.ts";
import { sum, type Numbers } from "./testing/sum-task.ts";

const unhurried = new AbortController().signal;

it("returns results in the order of the inputs, whichever is done first, and reports progress", async () => {
  await using tasks = openTasks({ threads: 2 });
  const inputs = [9, 1, 8, 2, 7, 3, 0];
  const call = { shared: { failsAt: -1 }, inputs };
  const told: number[] = [];
  const progress = (fraction: number): void => void told.push(fraction);
  const squares = inputs.map((n) => n * n);
  expect(await tasks.map(slowSquare, call, { signal: unhurried, progress })).toEqual(squares);
  expect(told).toEqual(inputs.map((_, i) => (i + 1) / inputs.length));
  const inTurn: number[] = [];
  for await (const one of tasks.inOrder(slowSquare, call, { signal: unhurried })) inTurn.push(one);
  expect(inTurn).toEqual(squares);
  expect(await tasks.map(slowSquare, { ...call, inputs: [] }, { signal: unhurried })).toEqual([]);
});

it("throws a task's error, starts no more tasks, and works afterward", async () => {
  await using tasks = openTasks({ threads: 1 });
  let made = 0;
  const inputs = { length: 50, at: (index: number) => (made++, index) };
  const call = { shared: { failsAt: 1 }, inputs };
  await expect(tasks.map(slowSquare, call, { signal: unhurried })).rejects.toThrow("no 1");
  expect(made).toBeLessThan(10);
  const again = { shared: { failsAt: -1 }, inputs: [3] };
  expect(await tasks.map(slowSquare, again, { signal: unhurried })).toEqual([9]);
});

it("is canceled before and during its work", async () => {
  await using tasks = openTasks({ threads: 1 });
  const call = { shared: { failsAt: -1 }, inputs: [100_000, 100_000] };
  const controller = new AbortController();
  const running = tasks.map(slowSquare, call, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await expect(running).rejects.toBeInstanceOf(CancelledError);
  const { signal } = controller;
  await expect(tasks.map(slowSquare, call, { signal })).rejects.toBeInstanceOf(CancelledError);
});

/** A native task in a thread: sets `state` to 1 when it has started, 2 when it was told to stop. */
function patientTask(): { tasks: Tasks & AsyncDisposable; state: Int32Array; run: Run } {
  const tasks = openTasks({ threads: 1 });
  const state = new Int32Array(new SharedArrayBuffer(4));
  return {
    tasks,
    state,
    run: (signal) => tasks.map(patient, { shared: {}, inputs: [{ state }] }, { signal }),
  };
}
type Run = (signal: AbortSignal) => Promise<unknown>;

it.each(["cancelled before", "still under way"])(
  "closing waits for one part of a native task that is %s: ending the thread inside would crash the process",
  async (how) => {
    const { tasks, state, run } = patientTask();
    const controller = new AbortController();
    const running = run(controller.signal);
    const ended = expect(running).rejects.toThrow("canceled");
    await expect.poll(() => state[0], { timeout: 5000 }).toBe(1);
    const toldAt = performance.now();
    if (how === "cancelled before") {
      controller.abort();
      await ended;
    }
    await tasks[Symbol.asyncDispose]();
    expect(state[0]).toBe(2);
    expect(performance.now() - toldAt).toBeLessThan(20_000);
    await ended;
  },
);

it("transfers the memory of inputs made for it, except shared memory", async () => {
  const held = new Float32Array(new SharedArrayBuffer(4 * 5)).fill(2);
  const made: Numbers[] = [];
  const at = (): Numbers => {
    made.push({ own: Float32Array.of(1, 2, 3), shared: held });
    return made.at(-1)!;
  };
  await using tasks = openTasks({ threads: 2 });
  const sums = (areOwn: boolean): Promise<number[]> =>
    tasks.map(sum, { shared: {}, inputs: { length: 2, areOwn, at } }, { signal: unhurried });
  expect(await sums(false)).toEqual([16, 16]);
  expect(made.map(({ own }) => own.length)).toEqual([3, 3]);
  expect(await sums(true)).toEqual([16, 16]);
  expect(made.slice(2).map(({ own }) => own.length)).toEqual([0, 0]);
  expect(held).toEqual(new Float32Array(5).fill(2));
});

it("says which function a module does not export", async () => {
  await using tasks = openTasks({ threads: 1 });
  const missing = { ...sum, name: "subtract" };
  const call = { shared: {}, inputs: [{ own: new Float32Array(), shared: new Float32Array() }] };
  await expect(tasks.map(missing, call, { signal: unhurried })).rejects.toThrow(
    /sum-task.ts does not export subtract/,
  );
});
