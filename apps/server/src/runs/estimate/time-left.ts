import { LAST_STEP, type StepNumber } from "@stipple/contract";
import { timeShare } from "./step-seconds.ts";

/** Where a run stands. */
export interface RunPace {
  /** Seconds that each step is expected to take, by number. */
  steps: readonly number[];
  startStep: StepNumber;
  /** The current step, and the fraction of it, 0–1, that it reports as done. */
  step: StepNumber;
  fraction: number;
  /** Seconds since the run began, and since this step did. */
  elapsed: number;
  stepElapsed: number;
}

/** Share of a run after which its own pace counts as much as the expectation. */
const BELIEF = 0.05;
/**
 * Within a step, the weight of the elapsed time, at the pace of the finished steps, against the reported progress:
 * steps report in jumps, and not in proportion to their time.
 */
const CLOCK = 0.6;
/** A step that takes longer than expected is never assumed to be closer to its end than this. */
const NEARLY_DONE = 0.97;

/**
 * Seconds until a run ends: the expected duration of the rest, at the pace that the run has shown so far. On a machine
 * twice as slow as the one behind the expectations, everything takes twice as long.
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
