import type { StudySample } from "@stipple/contract/routes/studies";

/** A study as its answers are asked for. */
export interface AskedStudy {
  /** Behind a share link: the link's token. */
  id: string;
  /** Whether a share link opened it. */
  isShared: boolean;
  /** Whether files are offered. */
  mayExport: boolean;
  samples: readonly Pick<StudySample, "name" | "condition" | "patient" | "batch">[];
}

/** The conditions of a design, in the order of its rows. */
export function conditionsOf({ samples }: Pick<AskedStudy, "samples">): string[] {
  return [...new Set(samples.map(({ condition }) => condition).filter((one) => one !== ""))];
}
