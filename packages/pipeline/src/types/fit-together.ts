import type { Tasks } from "../engine/tasks/task.ts";
import { fitAnchored, type AnchoredModel, type Anchors } from "./anchored-fit.ts";
import { fitTypesOnThread, type AnchoredFitOrder } from "./fit-together-task.ts";
import { startFromLooks } from "./start-from-looks.ts";

/** Multiplications below which starting threads costs more than it saves. */
const WORTH_THREADS = 1e9;

/** Interval for polling the threads' progress. */
const WATCH_MS = 500;

/** Threads that fit independent models. */
export interface FitThreads {
  tasks: Tasks;
  signal: AbortSignal;
  /** Defaults to {@link WORTH_THREADS}. */
  worthThreads?: number;
}

/**
 * Fits independent models with the same anchors, on threads if the work is worth starting them, otherwise sequentially.
 * Results are bit-identical either way.
 */
export async function fitTogether(
  anchors: Anchors,
  orders: readonly AnchoredFitOrder[],
  options: {
    others?: FitThreads | undefined;
    pause?: (() => Promise<void>) | undefined;
    progress?: ((fraction: number) => void) | undefined;
  },
): Promise<AnchoredModel[]> {
  const { others, pause, progress } = options;
  const worth = others?.worthThreads ?? WORTH_THREADS;
  if (others && others.tasks.hands > 1 && costOf(anchors, orders) >= worth) {
    await pause?.();
    const done = new Float32Array(new SharedArrayBuffer(4 * orders.length));
    const inputs = orders.map((order, place) => ({ ...order, place }));
    const watch = setInterval(
      () => progress?.(done.reduce((a, b) => a + b, 0) / orders.length),
      WATCH_MS,
    );
    try {
      const call = { shared: { anchors, done }, inputs };
      return await others.tasks.map(fitTypesOnThread, call, { signal: others.signal });
    } finally {
      clearInterval(watch);
    }
  }
  const models: AnchoredModel[] = [];
  for (const order of orders) {
    const model = await fitInOrder(anchors, order, async (fraction) => {
      progress?.((models.length + fraction) / orders.length);
      await pause?.();
    });
    models.push(model);
  }
  return models;
}

/** Fits one model on the calling thread. */
export async function fitInOrder(
  anchors: Anchors,
  { data, steps, start }: AnchoredFitOrder,
  told: (fraction: number) => Promise<void>,
): Promise<AnchoredModel> {
  return fitAnchored(data, anchors, {
    steps,
    start: "markers" in start ? await startFromLooks(data, start.markers, start.seed) : start,
    pause: (step) => told(step / steps),
  });
}

/** Cost of the products over all cells, in multiplications. */
function costOf({ nTypes }: Anchors, orders: readonly AnchoredFitOrder[]): number {
  return orders.reduce(
    (sum, { data, steps }) => sum + 2 * data.phi.data.length * nTypes * steps,
    0,
  );
}
