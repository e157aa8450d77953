import type { AnalysisOptions, StepNumber } from "@stipple/contract";
import { sizeOf, type RunSize, type SizedInput } from "./run-size.ts";
import { ADVANCED_FACTORS, stepSecondsOf, type StepSeconds } from "./step-seconds.ts";

/** What a run is expected to take, from the sizes of its inputs before anything of them is read. */
export interface Estimate {
  memoryMb: number;
  /** Of the results and of the copies of the inputs on the worker; missing in estimates of earlier versions. */
  diskMb?: number;
  /** Of the whole run on two cores, fitted from above. */
  seconds: number;
  /** Of each step, as near as it is known by now; missing in estimates of earlier versions. */
  steps?: StepSeconds;
}

/**
 * Fitted from above to measured runs (docs/speed.md): the sample dataset peaked at 1.6 GB, whole slides of Visium (60 MB of
 * counts, 581 MB of image) at 3.4 GB and of HD (435 MB and 2,066 MB) at 8.1 GB. A Visium slide took 666 s.
 */
const BASE = { memoryMb: 1750, seconds: 60, diskMb: 300 };
/**
 * Memory is for the cells: images are read tile by tile. On the disk: a copy of the image, one in tiles where it has none, and
 * the tile pyramid of the view.
 */
const PER_MB_OF_IMAGE = { memoryMb: 1.9, seconds: 0.8, diskMb: 3 };
/** A whole capture area in color at 0.25 µm per pixel: larger images show the same cells in more pixels. */
const MOST_MB_OF_CELLS = 2100;
/** On the disk mostly the rates of all cells, once on the worker and once in the storage: a whole slide takes up to 10 GB. */
const PER_MB_OF_COUNTS = { memoryMb: 10, seconds: 4, diskMb: 60 };
/**
 * The finest bins are streamed: only what they add up to, by cell and gene, is held. On the disk a copy of them, and twice what
 * steps 3 and 4 leave of them: 1.1 GB more than without on a whole slide (796 MB of finest bins).
 */
const PER_MB_OF_FINE_BINS = { memoryMb: 6, seconds: 1, diskMb: 4 };

const PER_MB = {
  counts: PER_MB_OF_COUNTS,
  image: PER_MB_OF_IMAGE,
  fineBins: PER_MB_OF_FINE_BINS,
} satisfies Partial<Record<keyof RunSize, typeof BASE>>;

/** Runs expected to take at most this long are small: they wait for one step of a large run, not for all of it. */
const SMALL_SECONDS = 5 * 60;
/** A run stands behind others that came later by at most this much. */
const LONGEST_ALLOWANCE_SECONDS = 30 * 60;

export function estimateOf(inputs: readonly SizedInput[]): Estimate {
  let { memoryMb, seconds, diskMb } = BASE;
  const sizes = sizeOf(inputs);
  for (const kind of Object.keys(PER_MB) as (keyof typeof PER_MB)[]) {
    const [mb, each] = [sizes[kind], PER_MB[kind]];
    memoryMb += (kind === "image" ? Math.min(mb, MOST_MB_OF_CELLS) : mb) * each.memoryMb;
    seconds += mb * each.seconds;
    diskMb += mb * each.diskMb;
  }
  return {
    memoryMb: Math.ceil(memoryMb),
    seconds: Math.ceil(seconds),
    diskMb: Math.ceil(diskMb),
  };
}

export function isSmall({ seconds }: Estimate): boolean {
  return seconds <= SMALL_SECONDS;
}

/**
 * When a run that is requested now is due: later by what it is expected to take, so that a small one passes a large
 * one that came shortly before, and no run waits behind later ones for longer than the allowance.
 */
export function dueAt(now: Date, { seconds }: Estimate): Date {
  return new Date(now.getTime() + Math.min(seconds, LONGEST_ALLOWANCE_SECONDS) * 1000);
}

/** The refusal of a run that is expected to need more memory than there is; undefined when it fits. */
export function memoryRefusal({ memoryMb }: Estimate, availableMb: number): string | undefined {
  if (memoryMb <= availableMb) return undefined;
  return `This sample needs about ${gb(memoryMb)} GB; this server has ${gb(availableMb)} GB. Your analysis was not counted.`;
}

/** The same for the disk that its results go to. */
export function diskRefusal({ diskMb = 0 }: Estimate, freeMb: number): string | undefined {
  if (diskMb <= freeMb) return undefined;
  return `This sample needs about ${gb(diskMb)} GB of disk space; this server has ${gb(freeMb)} GB free. Your analysis was not counted.`;
}

function gb(mb: number): string {
  return (mb / 1024).toFixed(1);
}

/**
 * What one step is expected to take: what it took last in this project or, where it was never done, what follows from the
 * sizes of the inputs. `isMeasured` says which.
 */
export function secondsOfStep(
  number: StepNumber,
  known: {
    size: RunSize;
    record: { seconds: number; settings: Record<string, unknown> } | undefined;
    analysisType: AnalysisOptions["analysis_type"];
  },
): { seconds: number; isMeasured: boolean } {
  const { size, record, analysisType } = known;
  if (!record) {
    return { seconds: stepSecondsOf(size, analysisType, []).plain[number]!, isMeasured: false };
  }
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
