import measured from "../sizes/measured.json" with { type: "json" };

/** An assumption of the simulation. `source` states where the value was measured, or that it is assumed. */
export interface Assumption {
  what: string;
  value: number;
  unit: string;
  source: string;
}

function assumption(what: string, value: number, unit: string, source: string): Assumption {
  return { what, value, unit, source };
}

const ASSUMED = "assumed";
const SPEED = "measured: docs/speed.md";
const FOLDERS = "measured: the folders of npm run bench:sizes";

function wallSeconds(size: "visium-full" | "hd8-full"): number {
  return Math.round(measured[size].steps.reduce((sum, step) => sum + step.wallSeconds, 0));
}

export const ASSUMPTIONS = {
  slidesPerLabWeek: assumption("New slides per lab per week", 1, "", ASSUMED),
  rerunsPerSlide: assumption("Reruns per slide, from step 5", 2, "", ASSUMED),
  rerunDelayDays: assumption("Mean delay of a rerun", 2, "days", ASSUMED),
  hdShare: assumption("Share of Visium HD among slides", 0.3, "", ASSUMED),
  visiumSeconds: assumption(
    "A whole Visium slide on a worker of 2 cores",
    wallSeconds("visium-full"),
    "s",
    SPEED,
  ),
  hdSeconds: assumption(
    "A whole HD slide on a worker of 2 cores",
    wallSeconds("hd8-full"),
    "s",
    SPEED,
  ),
  spread: assumption("Spread of these times (σ of the logarithm)", 0.5, "", ASSUMED),
  rerunShare: assumption("Share of time in steps 5–7", 0.5, "", ASSUMED),
  visiumInputGb: assumption("Inputs of a Visium slide", 0.61, "GB", FOLDERS),
  hdInputGb: assumption("Inputs of an HD slide", 2.4, "GB", FOLDERS),
  visiumOutputGb: assumption("Results of 159,000 cells (Visium)", 4.3, "GB", FOLDERS),
  hdOutputGb: assumption("Results of 160,000 cells (HD)", 8.3, "GB", FOLDERS),
  keptDays: assumption("Project retention", 90, "days", "the Professional plan"),
  lossesPerWorkerWeek: assumption("Workers lost without notice, each per week", 0.1, "", ASSUMED),
  missedSeconds: assumption(
    "Time until a lost worker is noticed",
    40,
    "s",
    "decision 27, upper bound",
  ),
  watching: assumption("Share of waiting people with the page open", 0.3, "", ASSUMED),
} satisfies Record<string, Assumption>;

/** A run's time is divided equally among its steps: those before step 5, and those from step 5 on. */
export const STEPS_BEFORE = 5;
export const STEPS_FROM = 3;
