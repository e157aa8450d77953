import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { StepNumber } from "@stipple/contract";
import { toReference } from "../../../../../lab/bench/sizes/reference-speed.ts";
import { INFORMATIVE_STEPS, type RunSize } from "./run-size.ts";
import { stepSecondsOf, type PastRun } from "./step-seconds.ts";
import { secondsLeft } from "./time-left.ts";

/** What `npm run bench:sizes` recorded for a full run on two cores. */
interface Recorded {
  sample: {
    genes: number;
    cells: number;
    countsBytes: number;
    imageBytes: number;
    megapixels: number;
    areaMm2: number;
  };
  steps: { wallSeconds: number; speed?: number; told: number[] }[];
}
const RECORDED = JSON.parse(
  readFileSync(new URL("../../../../../lab/bench/sizes/measured.json", import.meta.url), "utf8"),
) as Record<string, Recorded>;
const NAMES = ["sample", "spots-24", "visium-quarter"];

/** At the speed at which the bench states costs: other work may have slowed the machine down during a run. */
function secondsOf(name: string): number[] {
  return RECORDED[name].steps.map((step) => step.wallSeconds * toReference(step));
}

/** What is known about a run's size during a step. */
function sizeDuring(step: number, name: string): RunSize {
  const { countsBytes, imageBytes, genes, megapixels, areaMm2, cells } = RECORDED[name].sample;
  const [counts, pixels] = INFORMATIVE_STEPS;
  return {
    counts: countsBytes / 1e6,
    image: imageBytes / 1e6,
    fineBins: 0,
    ...(step > counts ? { genes, megapixels, areaMm2 } : {}),
    ...(step > pixels ? { cells } : {}),
  };
}

const past = (name: string): PastRun => ({
  plain: stepSecondsOf(sizeDuring(7, name), "basic", []).plain,
  seconds: secondsOf(name),
});

/** The largest error after a fifth of the time, relative to the time left, while at least ten seconds are left. */
function worstError(name: string, earlier: readonly PastRun[], pace = 1): number {
  const seconds = secondsOf(name);
  const whole = seconds.reduce((sum, each) => sum + each, 0);
  let worst = 0;
  for (let at = 0.2 * whole; whole - at > 10; at += whole / 200) {
    let [step, before] = [0, 0];
    while (before + seconds[step] <= at) before += seconds[step++];
    const { told } = RECORDED[name].steps[step];
    const part = (told.length + 1) * ((at - before) / seconds[step]);
    const left = secondsLeft({
      steps: stepSecondsOf(sizeDuring(step, name), "basic", earlier).expected,
      startStep: 0,
      step: step as StepNumber,
      fraction: told[Math.floor(part) - 1] ?? 0,
      elapsed: pace * at,
      stepElapsed: pace * (at - before),
    });
    worst = Math.max(worst, Math.abs(left / (pace * (whole - at)) - 1));
  }
  return worst;
}

it.each(NAMES)("estimates the time left of %s within 30%%, on a new server", (name) => {
  expect(worstError(name, [])).toBeLessThan(0.3);
});

it.each(NAMES)("… and where samples of other sizes have run", (name) => {
  const others = NAMES.filter((other) => other !== name).map(past);
  expect(worstError(name, others)).toBeLessThan(0.3);
});

it.each(NAMES)("… on a machine four times as slow", (name) => {
  expect(worstError(name, [], 4)).toBeLessThan(0.3);
});

it("learns step weights from runs of similar size", () => {
  const name = "visium-quarter";
  const size = sizeDuring(7, name);
  const { plain } = stepSecondsOf(size, "basic", []);
  // A server on which one step takes ten times as long as elsewhere.
  const slow = secondsOf(name).map((each, step) => (step === 6 ? 10 * each : each));
  const learned = stepSecondsOf(size, "basic", Array<PastRun>(5).fill({ plain, seconds: slow }));
  expect(learned.plain).toEqual(plain);
  expect(learned.expected[6] / slow[6]).toBeGreaterThan(0.7);
  const large = { ...size, megapixels: 1e4, areaMm2: 1e3, cells: 4e6 };
  const far = stepSecondsOf(large, "basic", Array<PastRun>(5).fill({ plain, seconds: slow }));
  expect(far.expected[6] / far.plain[6]).toBeLessThan(1.3);
});

it("counts steps before the start as done, and falls back with the worker", () => {
  const steps = [10, 10, 10, 10, 10, 10, 10, 10];
  const run = { steps, fraction: 1, elapsed: 10, stepElapsed: 10 };
  expect(secondsLeft({ ...run, startStep: 6, step: 6 })).toBeCloseTo(10, 5);
  expect(secondsLeft({ ...run, startStep: 6, step: 4 })).toBeCloseTo(30, 5);
  expect(secondsLeft({ ...run, startStep: 7, step: 7, elapsed: 20 })).toBe(0);
});
