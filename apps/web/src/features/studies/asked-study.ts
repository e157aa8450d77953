import type { StudySample } from "@stipple/contract/routes/studies";
import type { SharedStudy } from "@stipple/contract/routes/study-sharing";

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

/** A shared study. Links to views differ each time that they are read, so answers must not depend on them. */
export function askedByGuest(
  token: string,
  { samples, may_export }: Pick<SharedStudy, "samples" | "may_export">,
): AskedStudy {
  return {
    ...{ id: token, isShared: true, mayExport: may_export },
    samples: samples.map((sample) => ({ ...sample, view: sample.view !== null })),
  };
}

/** The conditions of a design, in the order of its rows. */
export function conditionsOf({ samples }: Pick<AskedStudy, "samples">): string[] {
  return [...new Set(samples.map(({ condition }) => condition).filter((one) => one !== ""))];
}
