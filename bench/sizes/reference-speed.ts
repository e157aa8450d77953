import type { StepCost } from "./measure.ts";
import type { Measured } from "./report.ts";

/** Rate of one core of the machine in a matrix product when nothing else runs on its host, 10⁹ operations per second. */
export const REFERENCE_GFLOPS = 200;

/**
 * A step's CPU and wall seconds times this are what it would take at the reference speed. The machines are shared, and their
 * speed changes by a factor of two within a day.
 */
export function toReference({ gflops }: StepCost, { rates }: Measured): number {
  return (gflops ?? rates?.gflops ?? NaN) / REFERENCE_GFLOPS;
}
