import type { StepCost } from "./measure.ts";
import type { Measured } from "./report.ts";

/** About the rate of one core in a matrix product when nothing else runs on the host, 10⁹ operations per second. */
export const REFERENCE_GFLOPS = 200;

/**
 * Factor from a step's measured CPU or wall seconds to those at the reference speed: the machines are shared, and their
 * speed changes by a factor of two within a day.
 */
export function toReference(
  { gflops }: Pick<StepCost, "gflops">,
  { rates }: Pick<Measured, "rates">,
): number {
  return (gflops ?? rates?.gflops ?? NaN) / REFERENCE_GFLOPS;
}
