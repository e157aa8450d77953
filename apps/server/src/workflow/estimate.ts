import { partOfRun, type AnalysisOptions, type StepNumber } from "@stipple/contract";

/** What a run is expected to take, from the sizes of its inputs before anything of them is read. */
export interface Estimate {
  memoryMb: number;
  /** Of the whole run on two cores. */
  seconds: number;
}

/** An input file, by its upload slot. */
export interface SizedInput {
  slot: string;
  /** Bytes. */
  size: number;
}

/**
 * Fitted from above to measured runs (docs/decisions/0028): a whole Visium slide (65 MB of counts, 555 MB of image) peaked at
 * 2.7 GB and took 666 s. Images are read tile by tile, so that they weigh less than counts.
 */
const BASE = { memoryMb: 700, seconds: 60 };
const PER_MB_OF_IMAGE = { memoryMb: 1.5, seconds: 0.8 };
const PER_MB_OF_COUNTS = { memoryMb: 16, seconds: 4 };

/**
 * How many times as long a step takes in an advanced analysis: the simulated tissue of seed 7 (5,443 cells), once basic and
 * once advanced on two busy cores, 18.6 → 20.7 s, 17.2 → 38.4 s and 32.6 → 53.3 s.
 */
const ADVANCED_FACTORS: Partial<Record<StepNumber, number>> = { 4: 1.1, 6: 2.2, 7: 1.6 };

/** Runs expected to take at most this long are small: they wait for one step of a large run, not for all of it. */
const SMALL_SECONDS = 5 * 60;
/** A run stands behind others that came later by at most this much. */
const LONGEST_ALLOWANCE_SECONDS = 30 * 60;

export function estimateOf(inputs: readonly SizedInput[]): Estimate {
  let { memoryMb, seconds } = BASE;
  for (const { slot, size } of inputs) {
    const each = /image|histology/.test(slot) ? PER_MB_OF_IMAGE : PER_MB_OF_COUNTS;
    memoryMb += (size / 1e6) * each.memoryMb;
    seconds += (size / 1e6) * each.seconds;
  }
  return { memoryMb: Math.ceil(memoryMb), seconds: Math.ceil(seconds) };
}

export function isSmall({ seconds }: Estimate): boolean {
  return seconds <= SMALL_SECONDS;
}

/**
 * When a run that is asked for now is due: later by what it is expected to take, so that a small one passes a large one
 * that came shortly before, and no run waits behind later ones for longer than the allowance.
 */
export function dueAt(now: Date, { seconds }: Estimate): Date {
  return new Date(now.getTime() + Math.min(seconds, LONGEST_ALLOWANCE_SECONDS) * 1000);
}

/** The refusal of a run that is expected to need more memory than there is; undefined when it fits. */
export function memoryRefusal({ memoryMb }: Estimate, availableMb: number): string | undefined {
  if (memoryMb <= availableMb) return undefined;
  const gb = (mb: number): string => (mb / 1024).toFixed(1);
  return `This sample needs about ${gb(memoryMb)} GB; this server has ${gb(availableMb)} GB. Your analysis was not counted.`;
}

/**
 * What one step is expected to take: what it took last in this project or, where it was never done, its part of the whole
 * run. `isMeasured` says which.
 */
export function secondsOfStep(
  number: StepNumber,
  known: {
    whole: Estimate;
    record: { seconds: number; settings: Record<string, unknown> } | undefined;
    analysisType: AnalysisOptions["analysis_type"];
  },
): { seconds: number; isMeasured: boolean } {
  const { whole, record, analysisType } = known;
  if (!record) return { seconds: whole.seconds * partOfRun(number), isMeasured: false };
  const was = record.settings["analysisType"];
  if (was === undefined || was === analysisType) {
    return { seconds: record.seconds, isMeasured: true };
  }
  const factor = ADVANCED_FACTORS[number] ?? 1;
  const seconds = analysisType === "advanced" ? record.seconds * factor : record.seconds / factor;
  return { seconds, isMeasured: false };
}

/** Seconds after which a step counts as stuck: ten times what the whole run is expected to take, and never under an hour. */
export function stepSeconds({ seconds }: Estimate, hours: number | undefined): number {
  return hours === undefined ? Math.max(3600, 10 * seconds) : hours * 3600;
}
