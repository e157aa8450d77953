import { LAST_STEP, type StepNumber } from "@stipple/contract";
import { timeShare } from "./step-seconds.ts";

/** Where a run stands. */
export interface RunPace {
  /** Seconds that each step is expected to take, by number. */
  steps: readonly number[];
  startStep: StepNumber;
  /** The current step, and how much of it is done, 0–1, as it tells. */
  step: StepNumber;
  fraction: number;
  /** Seconds since the run began, and since this step did. */
  elapsed: number;
  stepElapsed: number;
}

/** Share of a run that is waited for before its pace is believed as much as what was expected. */
const BELIEF = 0.05;
/**
 * How much of the say the clock has within a step, at the pace of the steps that are done: steps tell in leaps, and not in
 * proportion to their time.
 */
const CLOCK = 0.6;
/** A step that takes longer than expected is never thought to be nearer to its end. */
const NEARLY_DONE = 0.97;

/**
 * Seconds until a run ends: what is expected of the rest, at the pace that the run has shown so far. On a machine that is
 * twice as slow as the one that the expectations come from, everything takes twice as long.
 */
export function secondsLeft(run: RunPace): number {
  const { steps, startStep, step, fraction, elapsed, stepElapsed } = run;
  const sum = (from: number, to: number): number =>
    steps.slice(from, to).reduce((total, seconds) => total + seconds, 0);
  // A worker may have gone back to a step before the one that was requested.
  const first = Math.min(startStep, step);
  const whole = sum(first, LAST_STEP + 1);
  const believed = BELIEF * whole;
  if (!(believed > 0)) return 0;
  const before = sum(first, step);
  const under = steps[step] ?? 0;
  const pace = (believed + Math.max(0, elapsed - stepElapsed)) / (believed + before);
  const byClock = Math.min(1, stepElapsed / (pace * under));
  const told = timeShare(step, fraction, sum(0, LAST_STEP + 1));
  const share = fraction >= 1 ? 1 : Math.min(NEARLY_DONE, told + CLOCK * (byClock - told));
  const done = before + share * under;
  return (whole - done) * ((believed + elapsed) / (believed + done));
}
