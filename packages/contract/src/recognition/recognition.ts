import type { CandidateFile, Role } from "./candidate.ts";

/** Which of the given files make up one sample, and what of the others. */
export interface Recognition<F extends CandidateFile = CandidateFile> {
  /** The file of each role. */
  files: Partial<Record<Role, F>>;
  /** Grayscale images of one shape whose names differ in a channel only, if there is no other image. */
  channels: F[];
  /** The folder of the chosen bins, "square_008um"; null without such folders. */
  bins: string | null;
  /** Whether the counts are the unfiltered ones. */
  isRaw: boolean;
  /** Files that look like data of the sample and are not used. */
  leftOut: LeftOut<F>[];
  /** What must be settled first, the most general first. */
  faults: Fault<F>[];
  /** Files that have nothing to do with it. */
  unrelated: F[];
}

export interface LeftOut<F extends CandidateFile = CandidateFile> {
  file: F;
  /** What it would have been. */
  role?: Role | undefined;
  /** One sentence that starts with the file's name: why, and what to do. */
  sentence: string;
  /** Whether it may be wanted: nothing else fills its place. */
  matters: boolean;
  /** Whether it cannot be read as it is: packed, damaged, or of another kind than its name says. */
  isUnreadable: boolean;
}

/** Something that cannot be decided by looking at the files. */
export interface Fault<F extends CandidateFile = CandidateFile> {
  /** The place that stays empty; without one, none of the files can be taken as a sample. */
  role?: Role | undefined;
  files: F[];
  sentence: string;
}
