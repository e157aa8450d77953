import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";
import type { OpenViewer } from "@stipple/pipeline/view";
import type { Computed, Order, Progress, Reply, Task } from "./messages.ts";

/**
 * The thread that computes numbers for the interactive view without holding up the server. It keeps the most recently
 * used results open within a limit, so that the next gene needs to read only its own file.
 */
enableCompileCache();
const { openViewer, UnknownGeneError } = await import("@stipple/pipeline/view");
const { InputError } = await import("@stipple/pipeline/errors");
const { packRates } = await import("@stipple/contract/packed-rates");

/** About 4 projects of 700,000 cells; the latest used one is kept whatever its size. */
const HELD_BYTES = 1024 ** 3;
/** Names and descriptions of a project take some MB that are not counted. */
const MAX_HELD = 32;
const PROGRESS_EVERY_MS = 200;
/** By folder, the latest used last. */
const held = new Map<string, Promise<OpenViewer>>();

parentPort!.on("message", (order: Order) => {
  void answer(order).then((reply) => {
    const value = reply.kind === "done" ? reply.value : null;
    const isNumbers = value instanceof Float32Array || value instanceof Uint16Array;
    parentPort!.postMessage(reply, isNumbers ? [value.buffer as ArrayBuffer] : []);
  });
});

async function answer({ folder, task }: Order): Promise<Reply> {
  try {
    const value = await carryOut(task, await viewerOf(folder));
    await makeRoom();
    return { kind: "done", value };
  } catch (error) {
    if (error instanceof UnknownGeneError)
      return { kind: "refused", code: "not_found", message: error.message };
    if (error instanceof InputError)
      return { kind: "refused", code: "invalid_request", message: error.message };
    const { code, stack } = error as NodeJS.ErrnoException;
    held.delete(folder);
    return { kind: "failed", missing: code === "ENOENT", detail: stack ?? String(error) };
  }
}

async function carryOut(task: Task, viewer: OpenViewer): Promise<Computed<Task>> {
  switch (task.kind) {
    case "warm":
      await viewer.warm();
      return null;
    case "gene": {
      const values = await viewer.gene(task.name, task.layer);
      return task.packed && task.layer === "rate" ? packRates(values) : values;
    }
    case "spotGene":
      return viewer.spotGene(task.name);
    case "score":
      return viewer.score(task.genes, task.layer);
    case "means": {
      const means = await viewer.means(task.genes, task.layer, task.by, task.within);
      return means.map(({ mean, fraction }) => ({ mean: known(mean), fraction: known(fraction) }));
    }
    case "compare":
      return viewer.compare(task.a, task.b, progressReporter());
    case "clusters":
      return viewer.clusters(task.order, progressReporter());
    case "markers":
      return viewer.markers(task.groups, progressReporter());
    case "similar":
      return viewer.similar(task.name, task.layer);
  }
}

/** JSON has no NaN. */
function known(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

/** Tells the share that is done, at once and then a few times a second. */
function progressReporter(): (done: number) => void {
  let next = 0;
  return (done) => {
    const now = performance.now();
    if (now < next) return;
    next = now + PROGRESS_EVERY_MS;
    parentPort!.postMessage({ kind: "progress", done } satisfies Progress);
  };
}

function viewerOf(folder: string): Promise<OpenViewer> {
  const viewer = held.get(folder) ?? openViewer(folder);
  held.delete(folder);
  held.set(folder, viewer);
  return viewer;
}

async function makeRoom(): Promise<void> {
  let bytes = 0;
  for (const [at, [folder, viewer]] of [...held].reverse().entries()) {
    const size = (await viewer).bytes();
    if (at > 0 && (bytes + size > HELD_BYTES || at >= MAX_HELD)) held.delete(folder);
    else bytes += size;
  }
}
