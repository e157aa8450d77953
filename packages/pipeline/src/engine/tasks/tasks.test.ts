import { expect, it } from "vitest";
import { CancelledError } from "../../errors.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { exposureOf, type Exposure } from "../../steps/4-vector-transformation/profiles.ts";
import { solveBlock } from "../../steps/4-vector-transformation/solve-block.ts";
import { openTasks } from "./open-tasks.ts";
import { defineTask, type Tasks } from "./task.ts";

const slowSquare = defineTask<{ failsAt: number }, number, number>(
  "slow square",
  new URL("./testing/slow-square-task.ts", import.meta.url),
);
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

it("throws a task's error, starts no more tasks, and works afterwards", async () => {
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
  const task = defineTask<object, { state: Int32Array }, null>(
    "patient",
    new URL("./testing/patient-task.ts", import.meta.url),
    { isNative: true },
  );
  const state = new Int32Array(new SharedArrayBuffer(4));
  return {
    tasks,
    state,
    run: (signal) => tasks.map(task, { shared: {}, inputs: [{ state }] }, { signal }),
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
    expect(performance.now() - toldAt).toBeLessThan(2000);
    await ended;
  },
);

it("transfers the memory of inputs made for it, except shared memory", async () => {
  const { exposure, byGene } = manyGenes();
  const sharedCounts = new Float32Array(new SharedArrayBuffer(4 * byGene.data.length));
  sharedCounts.set(byGene.data);
  const made: SparseMatrix[] = [];
  const at = (): SparseMatrix => {
    const [indptr, indices] = [byGene.indptr.slice(), byGene.indices.slice()];
    const own: SparseMatrix = { ...byGene, indptr, indices, data: sharedCounts };
    made.push(own);
    return own;
  };
  await using tasks = openTasks({ threads: 2 });
  const signal = new AbortController().signal;
  const fit = (areOwn: boolean): Promise<Float32Array[]> => {
    const call = { shared: { exposure, rounds: 0 }, inputs: { length: 2, areOwn, at } };
    return tasks.map(solveBlock, call, { signal });
  };
  const copied = await fit(false);
  expect(made.map(({ indices }) => indices.length)).toEqual([1, 1].map(() => byGene.data.length));
  expect(await fit(true)).toEqual(copied);
  expect(made.slice(2).map(({ indices }) => indices.length)).toEqual([0, 0]);
  expect(sharedCounts).toEqual(byGene.data);
});

/** Counts of 30 blocks of genes, and the exposure of the spots. */
function manyGenes(): { exposure: Exposure; byGene: SparseMatrix } {
  const [nSpots, k, nGenes] = [400, 8, 30 * 256 - 5];
  const random = new Random(1);
  const data = Float32Array.from({ length: nSpots * k }, () => random.gamma(0.5));
  const indptr = Uint32Array.from({ length: nGenes + 1 }, (_, g) => g * (nSpots / 4));
  const length = nGenes * (nSpots / 4);
  return {
    exposure: exposureOf(data, k, { cells: 2 }),
    byGene: {
      nRows: nGenes,
      nCols: nSpots,
      indptr,
      indices: Uint32Array.from({ length }, (_, n) => 4 * (n % (nSpots / 4)) + (n % 3)),
      data: Float32Array.from({ length }, () => 1 + random.below(9)),
    },
  };
}
