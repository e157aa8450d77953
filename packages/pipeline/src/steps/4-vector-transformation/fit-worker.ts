import { fitExpression, type ExpressionFit } from "./fit-expression.ts";
import type { FitOrder, FitWork } from "./fit-task.ts";

/** Runs in a worker thread. */
export default function work(
  { tissues, options }: FitWork,
  { tissue, weights, use }: FitOrder,
): Promise<ExpressionFit> {
  return fitExpression(tissues[tissue], weights, { ...options, use });
}
