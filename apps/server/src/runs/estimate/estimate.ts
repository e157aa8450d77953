import type { AnalysisOptions, StepNumber } from "@stipple/contract";
import { sizeOf, type RunSize, type SizedInput } from "./run-size.ts";
import { ADVANCED_FACTORS, stepSecondsOf } from "./step-seconds.ts";
import type { Estimate } from "../../db/schema.ts";

/**
 * Upper bounds fitted to measured runs, which used more memory than the later ones in docs/speed.md: the sample dataset
 * peaked at 1.6 GB, whole slides of Visium (60 MB of counts, 581 MB of image) at 3.4 GB and of HD (435 MB and 2,066 MB)
 * at 8.1 GB. Times are upper bounds with a wide margin: a Visium slide took 221 s.
 */
const BASE = { memoryMb: 1750, seconds: 60, diskMb: 300 };
/**
 * The memory is for the cells; images are read tile by tile. The disk space is for a copy of the image, a tiled version
 * if it has no tiles, and the view's tile pyramid.
 */
const PER_MB_OF_IMAGE = { memoryMb: 1.9, seconds: 0.8, diskMb: 3 };
/** A whole capture area in color at 0.25 µm per pixel: larger images show the same cells in more pixels. */
const MAX_MB_OF_CELLS = 2100;
/**
 * The disk space is mostly for the rates of all cells, on the worker and in the storage: a whole slide takes up to 10
 * GB.
 */
const PER_MB_OF_COUNTS = { memoryMb: 10, seconds: 4, diskMb: 60 };
/**
 * The finest bins are streamed, and only their sums by cell and gene are held. The disk space is for a copy of them and
 * twice what steps 3 and 4 keep of them: on a whole slide (796 MB of finest bins), 1.1 GB more than without them.
 */
const PER_MB_OF_FINE_BINS = { memoryMb: 6, seconds: 1, diskMb: 4 };

const PER_MB = {
  counts: PER_MB_OF_COUNTS,
  image: PER_MB_OF_IMAGE,
  fineBins: PER_MB_OF_FINE_BINS,
} satisfies Partial<Record<keyof RunSize, typeof BASE>>;

/** Runs expected to take at most this long are small: they wait for one step of a large run, not for all of it. */
export const SMALL_SECONDS = 5 * 60;
/** A run waits behind runs that came later by at most this much. */
const LONGEST_ALLOWANCE_SECONDS = 30 * 60;

export function estimateOf(inputs: readonly SizedInput[]): Estimate {
  let { memoryMb, seconds, diskMb } = BASE;
  const sizes = sizeOf(inputs);
  for (const kind of Object.keys(PER_MB) as (keyof typeof PER_MB)[]) {
    const [mb, each] = [sizes[kind], PER_MB[kind]];
    memoryMb += (kind === "image" ? Math.min(mb, MAX_MB_OF_CELLS) : mb) * each.memoryMb;
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
 * When a run requested now is due: its expected duration from now, up to a limit. So a small run overtakes a large one
 * that came shortly before, and no run waits behind later ones for longer than the limit.
 */
export function dueAt(now: Date, { seconds }: Estimate): Date {
  return new Date(now.getTime() + Math.min(seconds, LONGEST_ALLOWANCE_SECONDS) * 1000);
}

/** The refusal of a run that is expected to need more memory than there is; undefined when it fits. */
export function memoryRefusal({ memoryMb }: Estimate, availableMb: number): string | undefined {
  if (memoryMb <= availableMb) return undefined;
  return `This sample needs about ${gb(memoryMb)} GB; this server has ${gb(availableMb)} GB.`;
}

/** The refusal of a run whose results are expected to need more disk than there is; undefined when they fit. */
export function diskRefusal({ diskMb = 0 }: Estimate, freeMb: number): string | undefined {
  if (diskMb <= freeMb) return undefined;
  return `This sample needs about ${gb(diskMb)} GB of disk space; this server has ${gb(freeMb)} GB free.`;
}

function gb(mb: number): string {
  return (mb / 1024).toFixed(1);
}

/**
 * Expected duration of one step: how long it last took in this project or, if it has never run, an estimate from the
 * sizes of the inputs. `isMeasured` says which.
 */
export function estimatedStepSeconds(
  number: StepNumber,
  known: {
    size: RunSize;
    record: { seconds: number; settings: Record<string, unknown> } | undefined;
    analysisType: AnalysisOptions["analysis_type"];
  },
): { seconds: number; isMeasured: boolean } {
  const { size, record, analysisType } = known;
  if (!record) {
    return { seconds: stepSecondsOf(size, analysisType, []).plain[number], isMeasured: false };
  }
  const was = record.settings["analysisType"];
  if (was === undefined || was === analysisType) {
    return { seconds: record.seconds, isMeasured: true };
  }
  const factor = ADVANCED_FACTORS[number] ?? 1;
  const seconds = analysisType === "advanced" ? record.seconds * factor : record.seconds / factor;
  return { seconds, isMeasured: false };
}

/**
 * Seconds after which a step counts as stuck: ten times the expected duration of the whole run, but at least an hour.
 */
export function stepLimitSeconds({ seconds }: Estimate, hours: number | undefined): number {
  return hours === undefined ? Math.max(3600, 10 * seconds) : hours * 3600;
}
