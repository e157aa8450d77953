import { STEP_NUMBERS, type AnalysisOptions, type StepNumber } from "@stipple/contract";

/** Sizes of a run's inputs, MB: what is known before anything of them is read. */
export interface RunSize {
  counts: number;
  image: number;
  fineBins: number;
}

/** What the steps of a run were expected to take. */
export interface StepSeconds {
  /** By sizes alone. */
  plain: readonly number[];
  /** The same, corrected by what earlier runs here took. */
  expected: readonly number[];
}

/** A finished run on this platform. */
export interface PastRun {
  plain: readonly number[];
  /** What each step took. */
  seconds: readonly number[];
}

interface StepCost {
  seconds: number;
  perMbOfCounts: number;
  perMbOfImage: number;
}

/**
 * Fitted to what `npm run bench:sizes` measured on two cores at three sizes (docs/speed.md): what a step takes whatever its
 * input, and what each MB adds. Their proportions count: a run's own pace corrects the rest.
 */
const COSTS: Record<StepNumber, StepCost> = {
  0: { seconds: 4.7, perMbOfCounts: 0.24, perMbOfImage: 0 },
  1: { seconds: 1.4, perMbOfCounts: 0, perMbOfImage: 0.012 },
  2: { seconds: 2.5, perMbOfCounts: 0, perMbOfImage: 0.2 },
  3: { seconds: 0.7, perMbOfCounts: 0.06, perMbOfImage: 0 },
  4: { seconds: 5, perMbOfCounts: 2.6, perMbOfImage: 0 },
  5: { seconds: 2, perMbOfCounts: 2.2, perMbOfImage: 0 },
  6: { seconds: 9, perMbOfCounts: 3, perMbOfImage: 0 },
  7: { seconds: 11, perMbOfCounts: 5.2, perMbOfImage: 0 },
};
/** Streamed by the steps that look at single cells' counts. */
const PER_MB_OF_FINE_BINS: Partial<Record<StepNumber, number>> = { 3: 0.8 };

/**
 * How many times as long a step takes in an advanced analysis: the simulated tissue of seed 7 (5,443 cells), once basic and
 * once advanced on two busy cores, 18.6 → 20.7 s, 17.2 → 38.4 s and 32.6 → 53.3 s.
 */
export const ADVANCED_FACTORS: Partial<Record<StepNumber, number>> = { 4: 1.1, 6: 2.2, 7: 1.6 };

/** Runs that count half as much as one of the same size are this many times as large or as small. */
const ALIKE = 3;
/** What is expected by sizes alone counts as much as this many runs. */
const OWN_WEIGHT = 0.5;

/**
 * What each step of a run is expected to take: by the sizes of its inputs, corrected step by step by how much longer or
 * shorter the runs of about that size have taken here. So the weights of steps are those of this machine and of
 * samples like these.
 */
export function stepSecondsOf(
  size: RunSize,
  analysisType: AnalysisOptions["analysis_type"],
  past: readonly PastRun[],
): StepSeconds {
  const plain = STEP_NUMBERS.map((step) => {
    const { seconds, perMbOfCounts, perMbOfImage } = COSTS[step];
    const factor = analysisType === "advanced" ? (ADVANCED_FACTORS[step] ?? 1) : 1;
    const perMbOfFineBins = PER_MB_OF_FINE_BINS[step] ?? 0;
    return (
      factor *
      (seconds +
        perMbOfCounts * size.counts +
        perMbOfImage * size.image +
        perMbOfFineBins * size.fineBins)
    );
  });
  const weights = past.map((run) => likeness(total(run.plain), total(plain)));
  const expected = plain.map((seconds, step) => {
    let [sum, weight] = [0, OWN_WEIGHT];
    for (const [i, run] of past.entries()) {
      const [took, thought] = [run.seconds[step] ?? 0, run.plain[step] ?? 0];
      if (!(took > 0) || !(thought > 0)) continue;
      sum += weights[i]! * Math.log(took / thought);
      weight += weights[i]!;
    }
    return seconds * Math.exp(sum / weight);
  });
  return { plain, expected };
}

/** 1 for runs of one size, ½ for runs that differ by the factor {@link ALIKE}. */
function likeness(a: number, b: number): number {
  return 2 ** -((Math.log(a / b) / Math.log(ALIKE)) ** 2);
}

function total(seconds: readonly number[]): number {
  return seconds.reduce((sum, each) => sum + each, 0);
}
