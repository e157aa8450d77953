import type { Verdict } from "@stipple/contract";

/** The verdict for a sample whose model lost to interpolation. */
export const POOR_VERDICT: Verdict = {
  grade: "poor",
  sentence: "Don't read single cells. The results add little to the spots themselves.",
  next: "Don't read gene values cell by cell; use the spot data.",
  reasons: [
    {
      topic: "genes",
      grade: "poor",
      sentence: "None of 900 genes that vary between spots passed the reliability check.",
      next: "Don't read gene values cell by cell; use the spot data.",
      action: "view",
    },
  ],
  figures: {
    measuredGenes: 1999,
    judgedGenes: 900,
    reliableGenes: 0,
    heldoutCorrelation: 0.05,
    interpolationCorrelation: 0.15,
    rateCorrelation: 0.4,
    genesFromModel: 1,
    heldoutSpots: 49,
    expectedCorrelation: 0.05,
    cellsMeasured: 0.25,
    cellsInferred: 0.5,
    cellsBeyondReach: 0.25,
    typedShare: 0.32,
    meanTypeConfidence: 0.5,
    spotsOnImage: 1,
    spotsOnTissue: 0.96,
    imageExplains: 0.5,
    imageExplainsShifted: 0.3,
    imageMicronsPerPixel: 0.73,
    tissueBlurred: 0,
    tissueObscured: 0,
  },
};
