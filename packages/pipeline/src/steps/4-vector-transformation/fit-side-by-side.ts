import {
  fitExpression,
  type ExpressionFit,
  type FitOptions,
  type TissueData,
} from "./fit-expression.ts";
import { fitModel, type FitOrder, type FitWork } from "./fit-model.ts";
import type { FitThreads } from "../../types/fit-threads.ts";

/** Multiplications below which starting threads costs more than it saves. */
export const WORTH_THREADS = 2e9;

/** Interval for polling the threads' progress. */
export const WATCH_MS = 500;

/**
 * Fits independent models, on threads if the work is worth starting them, otherwise sequentially. Results are
 * bit-identical either way.
 */
export async function fitSideBySide(
  tissues: readonly TissueData[],
  orders: readonly FitOrder[],
  options: FitOptions & { others?: FitThreads | undefined },
): Promise<ExpressionFit[]> {
  const { others, pause, progress } = options;
  if (others && others.tasks.parallel > 1 && costOf(tissues, orders, options) >= worth(others)) {
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

/** The options that can be sent to a thread. */
export function plainOf(options: FitOptions): FitWork["options"] {
  const { seed, prototypes, gateGenes, gateSteps, gateDecay, rounds, priorCells, fits } = options;
  return { seed, prototypes, gateGenes, gateSteps, gateDecay, rounds, priorCells, fits };
}

function worth({ worthThreads = WORTH_THREADS }: FitThreads): number {
  return worthThreads;
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
