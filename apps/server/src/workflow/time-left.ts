import { LAST_STEP, type StepNumber } from "@stipple/contract";

/** Where a run stands. */
export interface RunPace {
  /** Seconds that each step is expected to take, by number. */
  steps: readonly number[];
  startStep: StepNumber;
  /** The step under way, and how much of it is done, 0–1. */
  step: StepNumber;
  fraction: number;
  /** Seconds since the run began. */
  elapsed: number;
}

/** Share of a run that is waited for before its pace is believed as much as what was expected. */
const BELIEF = 0.05;

/**
 * Seconds until a run ends: what is expected of the rest, at the pace that the run has shown so far. On a machine that is
 * twice as slow as the one that the expectations come from, everything takes twice as long.
 */
export function secondsLeft({ steps, startStep, step, fraction, elapsed }: RunPace): number {
  const sum = (from: number, to: number): number =>
    steps.slice(from, to).reduce((total, seconds) => total + seconds, 0);
  // A worker may have gone back to a step before the one that was asked for.
  const first = Math.min(startStep, step);
  const whole = sum(first, LAST_STEP + 1);
  const done = sum(first, step) + fraction * (steps[step] ?? 0);
  const believed = BELIEF * whole;
  if (!(believed > 0)) return 0;
  return (whole - done) * ((believed + elapsed) / (believed + done));
}
