import { defineTask } from "@stipple/tasks/task";
import {
  fitExpression,
  type ExpressionFit,
  type FitOptions,
  type PartWeights,
  type TissueData,
} from "./fit-expression.ts";

/** Multiplications below which starting threads costs more than it saves. */
export const WORTH_THREADS = 2e9;

/** Interval for polling the threads' progress. */
export const WATCH_MS = 500;

/** One fit: which tissue, which parts, and which spots. */
interface FitOrder {
  tissue: number;
  weights: PartWeights;
  use: Uint8Array;
}

/** Options that can be sent to a thread. */
export type PlainOptions = Omit<FitOptions, "pool" | "others" | "pause" | "progress" | "use">;

/**
 * Fits independent models, on threads if the work is worth starting them, otherwise sequentially. Results are
 * bit-identical either way.
 */
export async function fitSideBySide(
  tissues: readonly TissueData[],
  orders: readonly FitOrder[],
  options: FitOptions,
): Promise<ExpressionFit[]> {
  const { others, pause, progress } = options;
  if (others?.tasks.isWorth(costOf(tissues, orders, options), WORTH_THREADS)) {
    await pause?.();
    const { tasks, signal } = others;
    const done = new Float32Array(new SharedArrayBuffer(4 * orders.length));
    const inputs = orders.map((order, place) => ({ ...order, place }));
    const call = { shared: { tissues, options: plainOf(options), done }, inputs };
    // A fit takes up to a minute; the thread itself says how far it is.
    const watch = setInterval(
      () => progress?.(done.reduce((a, b) => a + b, 0) / orders.length),
      WATCH_MS,
    );
    try {
      return await tasks.map(fitModel, call, { signal, progress });
    } finally {
      clearInterval(watch);
    }
  }
  const fits: ExpressionFit[] = [];
  for (const { tissue, weights, use } of orders) {
    const done = fits.length;
    const fit = await fitExpression(tissues[tissue], weights, {
      ...options,
      use,
      progress: (fraction) => progress?.((done + fraction) / orders.length),
    });
    fits.push(fit);
  }
  return fits;
}

/** Runs in a worker thread. `done`: progress of each fit, in memory shared between threads. */
export function fitOne(
  {
    tissues,
    options,
    done,
  }: { tissues: readonly TissueData[]; options: PlainOptions; done: Float32Array },
  { tissue, weights, use, place }: FitOrder & { place: number },
): Promise<ExpressionFit> {
  return fitExpression(tissues[tissue], weights, {
    ...options,
    use,
    progress: (fraction) => (done[place] = fraction),
  });
}

// ONNX Runtime is native code.
const fitModel = defineTask(import.meta.url, fitOne, { isNative: true });

/** The options that can be sent to a thread. */
export function plainOf(options: FitOptions): PlainOptions {
  const { seed, prototypes, gateGenes, gateSteps, gateDecay, rounds, priorCells, fits } = options;
  return { seed, prototypes, gateGenes, gateSteps, gateDecay, rounds, priorCells, fits };
}

/** Cost of gate training and profile rounds, in multiplications. */
export function costOf(
  tissues: readonly TissueData[],
  orders: readonly Pick<FitOrder, "tissue" | "weights">[],
  { prototypes, gateSteps, rounds }: Pick<FitOptions, "prototypes" | "gateSteps" | "rounds">,
): number {
  return orders.reduce((sum, { tissue, weights }) => {
    const { cellsXy, features, byGene } = tissues[tissue];
    const steps = weights.learned > 0 ? gateSteps : 1;
    const ofGate = cellsXy.nRows * (features.nCols + 1) * steps;
    return sum + 2 * prototypes * (ofGate + byGene.indices.length * rounds);
  }, 0);
}
