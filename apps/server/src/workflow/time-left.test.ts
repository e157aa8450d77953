import { expect, it } from "vitest";
import type { StepNumber } from "@stipple/contract";
import { stepSecondsOf, type PastRun } from "./step-seconds.ts";
import { secondsLeft } from "./time-left.ts";

/** Whole runs on two idle cores, as `npm run bench:sizes` recorded them: inputs in MB, seconds of each step. */
const RECORDED = {
  "24 spots": {
    size: { counts: 0.6, image: 6.8, fineBins: 0 },
    seconds: [4.9, 1.5, 3.8, 0.7, 6.9, 3.3, 12.0, 15.1],
  },
  "a quarter of a slide": {
    size: { counts: 15.7, image: 146.3, fineBins: 0 },
    seconds: [8.8, 3.1, 31.9, 1.6, 86.7, 40.6, 69.2, 132.8],
  },
};
type Name = keyof typeof RECORDED;
const NAMES = Object.keys(RECORDED) as Name[];

const past = (name: Name): PastRun => {
  const { size, seconds } = RECORDED[name];
  return { plain: stepSecondsOf(size, "basic", []).plain, seconds };
};

/** The largest error after a fifth of the time, relative to what is left, while that is ten seconds at least. */
function worstError(name: Name, earlier: readonly PastRun[], pace = 1): number {
  const { size, seconds } = RECORDED[name];
  const steps = stepSecondsOf(size, "basic", earlier).expected;
  const whole = seconds.reduce((sum, each) => sum + each, 0);
  let worst = 0;
  for (let at = 0.2 * whole; whole - at > 10; at += whole / 200) {
    let [step, before] = [0, 0];
    while (before + seconds[step]! <= at) before += seconds[step++]!;
    const left = secondsLeft({
      steps,
      startStep: 0,
      step: step as StepNumber,
      fraction: (at - before) / seconds[step]!,
      elapsed: pace * at,
    });
    worst = Math.max(worst, Math.abs(left / (pace * (whole - at)) - 1));
  }
  return worst;
}

it.each(NAMES)("says within 30%% what is left of %s, on a new server", (name) => {
  expect(worstError(name, [])).toBeLessThan(0.3);
});

it.each(NAMES)("… and where samples of other sizes have run", (name) => {
  const others = NAMES.filter((other) => other !== name).map(past);
  expect(worstError(name, others)).toBeLessThan(0.3);
});

it.each(NAMES)("… on a machine four times as slow", (name) => {
  expect(worstError(name, [], 4)).toBeLessThan(0.3);
});

it("learns the weights of steps from runs of about the same size", () => {
  const { size, seconds } = RECORDED["a quarter of a slide"];
  const { plain } = stepSecondsOf(size, "basic", []);
  // A server on which one step takes ten times as long as elsewhere.
  const slow = seconds.map((each, step) => (step === 6 ? 10 * each : each));
  const learned = stepSecondsOf(size, "basic", Array<PastRun>(5).fill({ plain, seconds: slow }));
  expect(learned.plain).toEqual(plain);
  expect(learned.expected[6]! / slow[6]!).toBeGreaterThan(0.7);
  const large = { counts: 100 * size.counts, image: 100 * size.image, fineBins: 0 };
  const far = stepSecondsOf(large, "basic", Array<PastRun>(5).fill({ plain, seconds: slow }));
  expect(far.expected[6]! / far.plain[6]!).toBeLessThan(1.3);
});

it("counts what lies before the start as done, and goes back with the worker", () => {
  const steps = [10, 10, 10, 10, 10, 10, 10, 10];
  const run = { steps, fraction: 0.5, elapsed: 5 };
  expect(secondsLeft({ ...run, startStep: 6, step: 6 })).toBeCloseTo(15, 5);
  expect(secondsLeft({ ...run, startStep: 6, step: 4 })).toBeCloseTo(35, 5);
  expect(secondsLeft({ ...run, startStep: 7, step: 7, fraction: 1, elapsed: 20 })).toBe(0);
});
