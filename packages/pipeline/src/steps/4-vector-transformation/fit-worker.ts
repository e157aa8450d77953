import { fitExpression, type ExpressionFit } from "./fit-expression.ts";
import type { FitOrder, FitWork } from "./fit-task.ts";

/** Runs in a worker thread. */
export default function work(
  { tissues, options, done }: FitWork,
  { tissue, weights, use, place }: FitOrder & { place: number },
): Promise<ExpressionFit> {
  return fitExpression(tissues[tissue], weights, {
    ...options,
    use,
    progress: (fraction) => (done[place] = fraction),
  });
}
