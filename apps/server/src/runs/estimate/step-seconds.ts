import { STEP_NUMBERS, type AnalysisOptions, type StepNumber } from "@stipple/contract";
import type { StepSeconds } from "../../db/schema.ts";
import type { RunSize } from "./run-size.ts";
// Written by `npm run bench:sizes`, fitted to what it has measured.
import table from "./step-costs.json" with { type: "json" };

/** A finished run on this platform. */
export interface PastRun {
  plain: readonly number[];
  /** What each step took. */
  seconds: readonly number[];
}

/** The quantities that a step's duration grows with. */
export interface Work {
  /** Always 1: the fixed cost of any sample. */
  run: number;
  mbOfCounts: number;
  megapixels: number;
  areaMm2: number;
  /** The first square millimeter of the area: with few tiles, one thread does most of the work. */
  firstMm2: number;
  thousandCells: number;
  /** Inferred values: cells times genes. */
  millionRates: number;
}

/** Seconds per unit of work, by step: two or three kinds of work for each. */
export const STEP_COSTS: readonly Partial<Work>[] = table.costs;

/** In one measured run: the share of a step's time that had passed when it reported 0, 5, … 100 % done. */
export interface ToldShares {
  /** Of the whole run. */
  seconds: number;
  /** By step. */
  shares: readonly (readonly number[])[];
}
const TOLD: readonly ToldShares[] = table.told;

/** Streamed by the step that looks at single cells' counts. */
const PER_MB_OF_FINE_BINS: Partial<Record<StepNumber, number>> = { 3: 0.8 };

/** Assumed until a step finds the actual values: a whole transcriptome, a lightly compressed image, a dense tissue. */
const USUAL = { genes: 18_000, megapixelsPerMb: 0.31, mm2PerMegapixel: 0.23, cellsPerMm2: 3_750 };

/** The amount of work, estimated where it is not known yet. */
export function workOf(size: RunSize): Work {
  const megapixels = size.megapixels ?? USUAL.megapixelsPerMb * size.image;
  const areaMm2 = size.areaMm2 ?? USUAL.mm2PerMegapixel * megapixels;
  const cells = size.cells ?? USUAL.cellsPerMm2 * areaMm2;
  return {
    run: 1,
    mbOfCounts: size.counts,
    megapixels,
    areaMm2,
    firstMm2: Math.min(1, areaMm2),
    thousandCells: cells / 1e3,
    millionRates: (cells * (size.genes ?? USUAL.genes)) / 1e6,
  };
}

/**
 * How many times as long a step takes in an advanced analysis. Measured on the simulated tissue of seed 7 (5,443
 * cells), once basic and once advanced on two busy cores: 17.2 → 38.4 s and 32.6 → 53.3 s.
 */
export const ADVANCED_FACTORS: Partial<Record<StepNumber, number>> = { 6: 2.2, 7: 1.6 };

/** Runs this many times larger or smaller count half as much as runs of the same size. */
const ALIKE = 3;
/** `ALIKE` for the measured runs that show how steps report progress, which differ more. */
const TOLD_ALIKE = 2;
/** The estimate from sizes alone counts as much as this many runs. */
const OWN_WEIGHT = 0.5;

/**
 * Expected duration of each step of a run: from what is known about its size, corrected step by step by how much longer
 * or shorter runs of about that size have taken here. So the steps' weights are those of this machine and of similar
 * samples.
 */
export function stepSecondsOf(
  size: RunSize,
  analysisType: AnalysisOptions["analysis_type"],
  past: readonly PastRun[],
): StepSeconds {
  const work = workOf(size);
  const plain = STEP_NUMBERS.map((step) => {
    const factor = analysisType === "advanced" ? (ADVANCED_FACTORS[step] ?? 1) : 1;
    let seconds = (PER_MB_OF_FINE_BINS[step] ?? 0) * size.fineBins;
    for (const [kind, each] of Object.entries(STEP_COSTS[step])) {
      seconds += each * work[kind as keyof Work];
    }
    return factor * seconds;
  });
  const weights = past.map((run) => likeness(total(run.plain), total(plain), ALIKE));
  const expected = plain.map((seconds, step) => {
    let [sum, weight] = [0, OWN_WEIGHT];
    for (const [i, run] of past.entries()) {
      const [took, thought] = [run.seconds[step] ?? 0, run.plain[step] ?? 0];
      if (!(took > 0) || !(thought > 0)) continue;
      sum += weights[i] * Math.log(took / thought);
      weight += weights[i];
    }
    return seconds * Math.exp(sum / weight);
  });
  return { plain, expected };
}

/**
 * The share of a step's time that has passed, 0–1, when it reports that a fraction of its work is done, in runs that
 * take about this many seconds. Steps report progress in jumps, some early and some late.
 */
export function timeShare(step: StepNumber, fraction: number, seconds: number): number {
  let [sum, weight] = [0, 0];
  for (const run of TOLD) {
    const shares = run.shares[step];
    const at = Math.min(1, Math.max(0, fraction)) * (shares.length - 1);
    const [below, above] = [shares[Math.floor(at)], shares[Math.ceil(at)]];
    const like = Math.max(1e-3, likeness(run.seconds, seconds, TOLD_ALIKE));
    sum += like * (below + (at % 1) * (above - below));
    weight += like;
  }
  return sum / weight;
}

/** 1 for runs of one size, ½ for runs that differ by the factor `alike`. */
function likeness(a: number, b: number, alike: number): number {
  return 2 ** -((Math.log(a / b) / Math.log(alike)) ** 2);
}

function total(seconds: readonly number[]): number {
  return seconds.reduce((sum, each) => sum + each, 0);
}
