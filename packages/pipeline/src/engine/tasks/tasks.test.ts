import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CancelledError } from "../../errors.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import {
  PURPLE_AND_PINK,
  scatteredDiscs,
  writeDiscImage,
} from "../../steps/2-morphological-analysis/disc-image.ts";
import { EVERYWHERE } from "../../steps/2-morphological-analysis/near-tissue.ts";
import { networkOptions } from "../../steps/2-morphological-analysis/network-options.ts";
import { NETWORK_WEIGHTS } from "../../nuclei/nucleus-network.ts";
import {
  segmentImage,
  type SegmentedImage,
} from "../../steps/2-morphological-analysis/segment-image.ts";
import { step as morphology } from "../../steps/2-morphological-analysis/step.ts";
import { workingGrid } from "../../steps/2-morphological-analysis/tile-plan.ts";
import { openProfilePool } from "../../steps/4-vector-transformation/profile-pool.ts";
import { exposureOf, type Exposure } from "../../steps/4-vector-transformation/profiles.ts";
import { solveBlock } from "../../steps/4-vector-transformation/solve-block.ts";
import { step as expression } from "../../steps/4-vector-transformation/step.ts";
import type { Assignment } from "./assignment.ts";
import { decode, encode } from "./codec.ts";
import type { Batch } from "./helpers.ts";
import type { Places } from "./named-files.ts";
import { openTasks } from "./open-tasks.ts";
import { defineTask, type Tasks } from "./task.ts";
import { SecondProcess } from "./testing/second-process.ts";

/** Two machines: separate folders with the same input. */
const [WIDTH, HEIGHT] = [1000, 500];
let folder = "";
let here: Places;
let there: Places;
let alone: SegmentedImage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-tasks-"));
  [here, there] = ["here", "there"].map((name) => ({
    input: join(folder, name, "input"),
    results: join(folder, name, "results"),
  })) as [Places, Places];
  await mkdir(here.input, { recursive: true });
  const image = join(here.input, "discs.png");
  await writeDiscImage(image, WIDTH, HEIGHT, scatteredDiscs(WIDTH, HEIGHT, 44));
  await cp(here.input, there.input, { recursive: true });
  await using tasks = openTasks({ threads: 1 });
  alone = await segment(tasks);
});
afterAll(() => rm(folder, { recursive: true }));

function segment(tasks: Tasks, signal = new AbortController().signal): Promise<SegmentedImage> {
  return segmentImage({
    path: join(here.input, "discs.png"),
    stain: PURPLE_AND_PINK,
    grid: workingGrid({ widthPx: WIDTH, heightPx: HEIGHT, micronsPerPixel: 0.5 }, 0.5),
    finder: {
      method: "network",
      weights: NETWORK_WEIGHTS,
      brightness: { low: 0, high: 1 },
      options: networkOptions.parse({}),
    },
    maxExpansionUm: 6,
    tilePx: 256,
    tasks,
    near: EVERYWHERE,
    signal,
    progress: () => undefined,
  });
}

const shared = (helpers: SecondProcess, step: { number: number; version: number } = morphology) =>
  openTasks({
    threads: 1,
    sharing: { helpers, places: here, step: step.number, version: step.version },
  });

it("gives the same tiles if another process does some of them", async () => {
  await using helper = await SecondProcess.start(there);
  await using tasks = shared(helper);
  // The other process first has to load its code; whatever it has not finished by then is taken back and done here.
  for (let tries = 0; tries < 20 && helper.done === 0; tries++) {
    expect(await segment(tasks)).toEqual(alone);
  }
  expect(helper.done).toBeGreaterThan(0);
  expect(helper.reasons.filter((reason) => !reason.includes("canceled"))).toEqual([]);
});

it("gives the same gene blocks if another process does some of them", async () => {
  await using helper = await SecondProcess.start(there);
  const { exposure, byGene } = manyGenes();
  const signal = new AbortController().signal;
  const profile = await openProfilePool().solve(exposure, byGene, 60);
  await using tasks = shared(helper, expression);
  const pool = openProfilePool({ tasks, signal }, 0);
  for (let tries = 0; tries < 20 && helper.done === 0; tries++) {
    expect(await pool.solve(exposure, byGene, 60)).toEqual(profile);
  }
  expect(helper.done).toBeGreaterThan(0);
  expect(helper.reasons.filter((reason) => !reason.includes("canceled"))).toEqual([]);
});

it("loses nothing but time if a helper is killed in the middle of a batch", async () => {
  await using helper = await SecondProcess.start(there);
  await using tasks = shared(helper);
  let begun = 0;
  helper.begun = () => {
    begun++;
    helper.kill();
  };
  expect(await segment(tasks)).toEqual(alone);
  expect([begun, helper.done]).toEqual([1, 0]);
});

it("runs a batch here if it never comes back", async () => {
  const signals: AbortSignal[] = [];
  await using tasks = openTasks({
    threads: 1,
    sharing: {
      helpers: {
        worth: { secondsLeft: 0, batchSeconds: 60 },
        free: () => Promise.resolve(signals.length === 0 ? 1 : 0),
        send: (_, signal) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      },
      places: here,
      step: morphology.number,
      version: morphology.version,
    },
  });
  expect(await segment(tasks)).toEqual(alone);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it("stops the work on both machines within two seconds when canceled", async () => {
  await using helper = await SecondProcess.start(there);
  await using tasks = shared(helper);
  const controller = new AbortController();
  const running = segment(tasks, controller.signal);
  await new Promise<void>((resolve) => (helper.begun = resolve));
  controller.abort();
  const cancelledAt = performance.now();
  await expect(running).rejects.toBeInstanceOf(CancelledError);
  await expect.poll(() => helper.reasons).toEqual([new CancelledError().message]);
  expect(performance.now() - cancelledAt).toBeLessThan(2000);
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

it.each<[string, Partial<Assignment>, string]>([
  ["machine of another kind", { machine: "abacus" }, "a different kind of machine: abacus"],
  ["program of another version", { version: 99 }, "no task segment-tile in version 99"],
])("a %s refuses, and the work is done here", async (_, change, reason) => {
  const changed = (batch: Batch): Batch => ({
    ...batch,
    common: { id: "x", bytes: encode({ ...decode<Assignment>(batch.common.bytes), ...change }) },
  });
  await using helper = await SecondProcess.start(there, changed);
  await using tasks = shared(helper);
  expect(await segment(tasks)).toEqual(alone);
  expect(helper.done).toBe(0);
  expect(helper.reasons[0]).toContain(reason);
});

it("preserves every bit in transfer", () => {
  const value = {
    floats: Float32Array.of(-0, Infinity, 1e-45),
    nan: new Float64Array(new BigUint64Array([0x7ff8_dead_beef_0001n]).buffer),
    part: new Uint16Array([1, 2, 3, 4]).subarray(1, 3),
    shared: new Uint32Array(new SharedArrayBuffer(8)).fill(7),
    nothing: undefined,
    plain: [-0, 0.1 + 0.2, "µ\u0000", null, { deep: [true] }],
  };
  const back = decode<typeof value>(encode(value));
  expect(back.plain).toEqual(value.plain);
  expect(Object.is(back.plain[0], -0)).toBe(true);
  expect("nothing" in back).toBe(true);
  for (const name of ["floats", "nan", "part", "shared"] as const) {
    expect(back[name].constructor).toBe(value[name].constructor);
    expect(bytes(back[name])).toEqual(bytes(value[name]));
  }
});

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

function bytes({ buffer, byteOffset, byteLength }: ArrayBufferView): number[] {
  return [...new Uint8Array(buffer, byteOffset, byteLength)];
}

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
