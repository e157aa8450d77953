import * as z from "zod/mini";

/**
 * What a result is worth for single cells, computed once at the end of a run: `statistics.json` holds it as `verdict`,
 * the h5ad and the SpatialData table as `uns["stipple"]["verdict"]`; pages, report, mail and command line show it.
 * Thresholds: docs/methods/verdict.md.
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

export const verdictReason = z.object({
  topic: z.enum(VERDICT_TOPICS),
  grade: verdictGrade,
  /** What was found, with its figure. */
  sentence: z.string(),
  /** What to do about it; null where the grade is good. */
  next: z.nullable(z.string()),
});
export type VerdictReason = z.infer<typeof verdictReason>;

const share = z.number();
const correlation = z.nullable(z.number());

/** The figures that the grades rest on. Shares lie between 0 and 1; null = could not be measured. */
export const verdictFigures = z.object({
  /** Genes of the sample, those that have enough UMIs and vary between spots, and those that passed the reliability check. */
  measuredGenes: z.int(),
  judgedGenes: z.int(),
  reliableGenes: z.int(),
  /** Correlation of predicted with observed counts in held-out spots, median over the judged genes: model, interpolation. */
  heldoutCorrelation: correlation,
  interpolationCorrelation: correlation,
  /** The same for the rates as they are given, each gene from what predicts it best; never below interpolation. */
  rateCorrelation: correlation,
  /** Share of the genes whose rate the model gives; the others' rates are smoothed from spots. */
  genesFromModel: z.number(),
  heldoutSpots: z.int(),
  /** Correlation over single cells that the rates are expected to have with the cells' counts, median over the judged genes. */
  expectedCorrelation: z._default(correlation, null),
  /** Shares of the cells, adding up to 1: touched by a spot; within reach of one; too far from any. */
  cellsMeasured: share,
  cellsInferred: share,
  cellsBeyondReach: share,
  /** Cells whose type is not Unknown, and the mean confidence of these. */
  typedShare: share,
  meanTypeConfidence: z.nullable(z.number()),
  /** Spots whose center lies on the image. */
  spotsOnImage: share,
  /** Spots whose center lies on visible tissue. */
  spotsOnTissue: z.nullable(z.number()),
  /**
   * Share of the spots' expression that the image explains in held-out spots, where the spots lie and at the best shift by
   * 100–500 µm; null with fewer than 60 spots.
   */
  imageExplains: z.nullable(z.number()),
  imageExplainsShifted: z.nullable(z.number()),
  /** µm per pixel of the image that was analyzed; null where there is none. */
  imageMicronsPerPixel: z.nullable(z.number()),
  /** Shares of the tissue that are out of focus, and too dark or under ink; null where the image was not judged. */
  tissueBlurred: z._default(z.nullable(z.number()), null),
  tissueObscured: z._default(z.nullable(z.number()), null),
});
export type VerdictFigures = z.infer<typeof verdictFigures>;

export const verdict = z.object({
  grade: verdictGrade,
  /** The result in one sentence. */
  sentence: z.string(),
  /** The most important thing to do; null where the grade is good. */
  next: z.nullable(z.string()),
  /** One a topic, in the order of VERDICT_TOPICS; what does not apply to the sample is left out. */
  reasons: z.array(verdictReason),
  figures: verdictFigures,
});
export type Verdict = z.infer<typeof verdict>;

/** What a topic is called. */
export const TOPIC_WORDS: Readonly<Record<VerdictTopic, string>> = {
  genes: "Genes",
  heldout: "Held-out spots",
  cells: "Cells",
  types: "Cell types",
  registration: "Registration",
  image: "Image",
};

/** How a grade is said to people. */
export const GRADE_WORDS: Readonly<Record<VerdictGrade, string>> = {
  good: "Good",
  limited: "Limited",
  poor: "Poor",
};
