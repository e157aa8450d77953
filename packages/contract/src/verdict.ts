import * as z from "zod/mini";

/**
 * How reliable a result is for single cells, computed once at the end of a run: `statistics.json` has it as `verdict`,
 * the h5ad and the SpatialData table as `uns["stipple"]["verdict"]`; pages, report, mail and command line show it.
 * Thresholds: docs/verdict.md.
 */

/** good = read single cells; limited = read them with caution; poor = read spots, not cells. */
export const verdictGrade = z.enum(["good", "limited", "poor"]);
export type VerdictGrade = z.infer<typeof verdictGrade>;

export const VERDICT_TOPICS = [
  "genes",
  "heldout",
  "cells",
  "types",
  "registration",
  "image",
] as const;
export type VerdictTopic = (typeof VERDICT_TOPICS)[number];

/**
 * Where a reason's remedy is carried out: in the interactive view; by changing the settings and running again; by
 * uploading other files to the project; or with another sample.
 */
export const VERDICT_ACTIONS = ["view", "change", "upload", "new"] as const;
export type VerdictAction = (typeof VERDICT_ACTIONS)[number];

export const verdictReason = z.object({
  topic: z.enum(VERDICT_TOPICS),
  grade: verdictGrade,
  /** What was found, with its figure. */
  sentence: z.string(),
  /** What to do about it; null if the grade is good. */
  next: z.nullable(z.string()),
  /** Where that is done; results of earlier versions do not say. */
  action: z._default(z.nullable(z.enum(VERDICT_ACTIONS)), null),
});
export type VerdictReason = z.infer<typeof verdictReason>;

const share = z.number();
const correlation = z.nullable(z.number());

/** The figures behind the grades. Shares are between 0 and 1; null = could not be measured. */
export const verdictFigures = z.object({
  /**
   * Genes of the sample, those that have enough UMIs and vary between spots, and those that passed the reliability
   * check.
   */
  measuredGenes: z.int(),
  judgedGenes: z.int(),
  reliableGenes: z.int(),
  /**
   * Correlation of predicted with observed counts in held-out spots, median over the judged genes: model,
   * interpolation.
   */
  heldoutCorrelation: correlation,
  interpolationCorrelation: correlation,
  /** Correlation of the final rates, each gene from its best predictor; never below interpolation. */
  rateCorrelation: correlation,
  /** Share of the genes whose rate the model gives; the others' rates are smoothed from spots. */
  genesFromModel: z.number(),
  heldoutSpots: z.int(),
  /** Expected correlation of the rates with the counts over single cells, median over the judged genes. */
  expectedCorrelation: z._default(correlation, null),
  /** Shares of the cells, adding up to 1: touched by a spot; within reach of one; too far from any. */
  cellsMeasured: share,
  cellsInferred: share,
  cellsBeyondReach: share,
  /** Cells whose type is not Unknown, and the mean confidence of these. */
  typedShare: share,
  meanTypeConfidence: z.nullable(z.number()),
  /** Spots whose center is on the image. */
  spotsOnImage: share,
  /** Spots whose center is on visible tissue. */
  spotsOnTissue: z.nullable(z.number()),
  /**
   * Share of the spots' expression that the image explains in held-out spots, with the spots in place and at the best
   * shift by 100–500 µm; null with fewer than 60 spots.
   */
  imageExplains: z.nullable(z.number()),
  imageExplainsShifted: z.nullable(z.number()),
  /** µm per pixel of the image that was analyzed; null if there is none. */
  imageMicronsPerPixel: z.nullable(z.number()),
  /** Shares of the tissue that are out of focus, and too dark or under ink; null if the image was not judged. */
  tissueBlurred: z._default(z.nullable(z.number()), null),
  tissueObscured: z._default(z.nullable(z.number()), null),
});
export type VerdictFigures = z.infer<typeof verdictFigures>;

export const verdict = z.object({
  grade: verdictGrade,
  /** The result in one sentence. */
  sentence: z.string(),
  /** The most important thing to do; null if the grade is good. */
  next: z.nullable(z.string()),
  /** One per topic, in the order of VERDICT_TOPICS; topics that do not apply to the sample are omitted. */
  reasons: z.array(verdictReason),
  figures: verdictFigures,
});
export type Verdict = z.infer<typeof verdict>;

/** The reason that explains the grade best: the one whose remedy the verdict recommends, otherwise the first. */
export function mainReason({ next, reasons }: Verdict): VerdictReason | undefined {
  return (next !== null && reasons.find((reason) => reason.next === next)) || reasons[0];
}

/** Display name of each topic. */
export const TOPIC_WORDS: Readonly<Record<VerdictTopic, string>> = {
  genes: "Genes",
  heldout: "Held-out counts",
  cells: "Cells",
  types: "Cell types",
  registration: "Registration",
  image: "Image",
};

/** Display name of each grade. */
export const GRADE_WORDS: Readonly<Record<VerdictGrade, string>> = {
  good: "Good",
  limited: "Limited",
  poor: "Poor",
};
