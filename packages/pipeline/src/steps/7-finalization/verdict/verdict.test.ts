import {
  mainReason,
  VERDICT_TOPICS,
  verdict as schema,
  type VerdictFigures,
} from "@stipple/contract";
import { expect, it } from "vitest";
import type { JudgedSample } from "./reasons.ts";
import { judge } from "./verdict.ts";

const GOOD: VerdictFigures = {
  measuredGenes: 2000,
  judgedGenes: 1000,
  reliableGenes: 500,
  heldoutCorrelation: 0.4,
  interpolationCorrelation: 0.2,
  rateCorrelation: 0.4,
  genesFromModel: 1,
  heldoutSpots: 800,
  expectedCorrelation: 0.3,
  cellsMeasured: 0.5,
  cellsInferred: 0.5,
  cellsBeyondReach: 0,
  typedShare: 0.9,
  meanTypeConfidence: 0.9,
  spotsOnImage: 1,
  spotsOnTissue: 1,
  imageExplains: 0.5,
  imageExplainsShifted: 0.3,
  imageMicronsPerPixel: 0.5,
  tissueBlurred: 0,
  tissueObscured: 0,
};
const judged = (
  figures: Partial<VerdictFigures>,
  registration: { mismatch?: string; doubt?: string } = {},
  spotNoun = "spot",
  namedBy: JudgedSample["namedBy"] = "markers",
) =>
  schema.parse(
    judge({
      figures: { ...GOOD, ...figures },
      segmentation: { method: "network", fallbackReason: null },
      registration: { mismatch: null, doubt: null, ...registration },
      spotNoun,
      namedBy,
    }),
  );

it("is good when every topic is, and then recommends nothing", () => {
  const { grade, next, reasons } = judged({});
  expect([grade, next]).toEqual(["good", null]);
  expect(reasons.map(({ topic }) => topic)).toEqual([...VERDICT_TOPICS]);
  expect(reasons.every((reason) => reason.grade === "good" && reason.next === null)).toBe(true);
});

it("names where each remedy is carried out, and the reason behind the grade", () => {
  const worst = judged({
    reliableGenes: 0,
    rateCorrelation: 0.2,
    cellsBeyondReach: 0.2,
    typedShare: 0.5,
    spotsOnTissue: 0.6,
    imageMicronsPerPixel: 1,
  });
  for (const { next, action } of worst.reasons) expect([!next, !action]).toEqual([false, false]);
  expect(mainReason(worst)).toBe(worst.reasons[0]);
  const types = judged({ typedShare: 0.5 });
  expect(mainReason(types)).toMatchObject({ topic: "types", action: "change" });
  expect(mainReason(judged({}))!.topic).toBe("genes");
});

it("is poor when no gene is reliable or the model loses, and says what to do", () => {
  const none = judged({ reliableGenes: 0 });
  expect(none.grade).toBe("poor");
  expect(none.next).toBe("Don't read gene values cell by cell; use the spot data.");
  // Where single cells are not to be read at all, no gene is.
  expect(judged({ reliableGenes: 1 }).next).toBe(none.next);
  const bins = judged({ expectedCorrelation: 0.08 }, {}, "bin");
  expect(bins.next).toBe("Don't read gene values cell by cell; use the bin data.");
  const lost = judged({
    heldoutCorrelation: 0.05,
    interpolationCorrelation: 0.15,
    rateCorrelation: 0.15,
    genesFromModel: 0.2,
  });
  expect(lost.grade).toBe("poor");
  const behind = { heldoutCorrelation: 0.1, interpolationCorrelation: 0.15, rateCorrelation: 0.14 };
  expect(judged(behind).grade).toBe("poor");
  expect(judged({ ...behind, rateCorrelation: 0.16 }).grade).toBe("limited");
  expect(lost.reasons[1].sentence).toContain(
    "0.05 if the model ignores the surrounding spots; interpolation between spots",
  );
});

it("is poor when genes pass the check but are barely informative about single cells", () => {
  const { grade, reasons } = judged({ expectedCorrelation: 0.08 });
  expect(grade).toBe("poor");
  expect(reasons[0].sentence).toContain("correlate with counts at only 0.08 (median gene)");
  expect(judged({ expectedCorrelation: 0.12 }).grade).toBe("good");
});

it("recommends a reference only where there is none", () => {
  const next = (namedBy: JudgedSample["namedBy"]) =>
    judged({ typedShare: 0.3, meanTypeConfidence: 0.5 }, {}, "spot", namedBy).next;
  expect(next("markers")).toContain("add a reference");
  expect(next("reference")).toMatch(/^Check that the reference has .* use another one or none,/);
  expect(next(null)).toMatch(/^Add a reference of labeled single cells of this species/);
});

it("is poor when types are little more than guesses, and limited when some are", () => {
  expect(judged({ meanTypeConfidence: 0.4 }).grade).toBe("poor");
  expect(judged({ meanTypeConfidence: 0.74 }).grade).toBe("limited");
  expect(judged({ meanTypeConfidence: 0.76 }).grade).toBe("good");
});

it("tests the share of genes that the model predicts better, not the median of noisy correlations", () => {
  const figures = { heldoutCorrelation: 0.03, interpolationCorrelation: 0.034 };
  expect(judged({ ...figures, rateCorrelation: 0.07, genesFromModel: 0.85 }).grade).toBe("good");
  expect(judged({ ...figures, rateCorrelation: 0.04, genesFromModel: 0.85 }).grade).toBe("limited");
});

it("is poor on HD slides when rates say little more than the bins, at any depth", () => {
  const hd = (rateCorrelation: number, interpolationCorrelation: number) =>
    judged({ rateCorrelation, interpolationCorrelation }, {}, "bin");
  const { grade, reasons, next } = hd(0.22, 0.18);
  expect(grade).toBe("poor");
  expect(reasons[1].sentence).toContain(
    "at 0.22 (median gene); interpolation between bins reaches 0.18",
  );
  expect(next).toBe(
    "For genes, use the bin data. Use cells for their positions, shapes, and types.",
  );
  // Deep bins interpolate well, so rates lead by less than a factor; shallow ones lead by little.
  expect(hd(0.31, 0.21).grade).toBe("good");
  expect(hd(0.06, 0.03).grade).toBe("good");
  expect(judged({ rateCorrelation: 0.22, interpolationCorrelation: 0.18 }).grade).toBe("good");
});

it("is limited, not poor, when only types or cells beyond reach are a problem", () => {
  expect(judged({ typedShare: 0.1 }).grade).toBe("limited");
  expect(judged({ cellsBeyondReach: 0.5, cellsInferred: 0 }).grade).toBe("limited");
});

it("never calls spots cells", () => {
  const { grade, sentence, next, reasons } = judge({
    figures: { ...GOOD, reliableGenes: 20, typedShare: 0.5, expectedCorrelation: 0.05 },
    segmentation: { method: "spot_level", fallbackReason: "Almost no nuclei were found." },
    registration: { mismatch: null, doubt: null },
    spotNoun: "spot",
    namedBy: "markers",
  });
  expect(grade).toBe("poor");
  expect(next).toBe("Upload the full-resolution microscope image to get single cells.");
  for (const reason of reasons) expect(reason.sentence).not.toMatch(/\bcells?\b/);
  expect(sentence).toBe("These results are for whole spots, not single cells.");
  expect(reasons.find(({ topic }) => topic === "cells")).toBeUndefined();
  expect(reasons.at(-1)!.sentence).toBe("Almost no nuclei were found.");
});

it("doubts the registration when the image fits better after a shift, or not at all", () => {
  const shifted = judged({ imageExplains: 0.2, imageExplainsShifted: 0.3 });
  expect(shifted.grade).toBe("poor");
  expect(shifted.reasons.find(({ topic }) => topic === "registration")!.sentence).toContain(
    "but 30% when we shift all of them",
  );
  const little = { imageExplains: 0.01, imageExplainsShifted: 0.02 };
  expect(judged(little).grade).toBe("good");
  const registration = judged({ ...little, genesFromModel: 0.2 }).reasons.find(
    ({ topic }) => topic === "registration",
  )!;
  expect(registration.sentence).toContain("The image explains only 1% of the spots' expression.");
  // With few spots, the best of 40 shifts explains as much by chance.
  expect(judged({ imageExplains: 0, imageExplainsShifted: 0.08 }).grade).toBe("good");
  expect(judged({ imageExplains: null, imageExplainsShifted: null }).grade).toBe("good");
});

it("judges the image by how much of the tissue is out of focus, too dark, or under ink", () => {
  const image = (figures: Partial<VerdictFigures>) => judged(figures).reasons.at(-1)!;
  expect(image({ tissueBlurred: 0.08 }).grade).toBe("good");
  expect(image({ tissueBlurred: 0.08, tissueObscured: 0.05 }).grade).toBe("limited");
  const blurred = judged({ tissueBlurred: 0.97 });
  expect(blurred.grade).toBe("poor");
  expect(blurred.next).toContain('leave out cells whose image_quality is not "good"');
  expect(image({ tissueBlurred: 0.97 }).sentence).toContain("97% of the tissue is out of focus");
  expect(image({ tissueBlurred: null, tissueObscured: null }).sentence).toBe(
    "The image has 0.50 µm per pixel.",
  );
});

it("is poor when the user continued with an image that was rejected", () => {
  const { grade, reasons } = judged({}, { mismatch: "image.tif seems to be upside down." });
  expect(grade).toBe("poor");
  expect(reasons.find(({ topic }) => topic === "registration")!.sentence).toBe(
    "The run continued although the image check failed: image.tif seems to be upside down.",
  );
  expect(judged({}, { doubt: "image.tif explains 1%." }).grade).toBe("limited");
});

it("compares with interpolation what the gene values reach, which decides their source, not the model alone", () => {
  const low = { heldoutCorrelation: 0.04, interpolationCorrelation: 0.06, rateCorrelation: 0.07 };
  const of = (noun: string): string =>
    judged(low, {}, noun).reasons.find(({ topic }) => topic === "heldout")!.sentence;
  expect(of("spot")).toContain(
    "gene values correlate with the counts at 0.07 (median gene), and at 0.04 if the model ignores the surrounding spots; interpolation between spots reaches 0.06. All gene values come from the model.",
  );
});

it("reports the source of the rates", () => {
  const sentence = (genesFromModel: number): string =>
    judged({ genesFromModel }).reasons.find(({ topic }) => topic === "heldout")!.sentence;
  expect(sentence(1)).toContain("All gene values come from the model.");
  expect(sentence(0.75)).toContain("For 25% of the genes, smoothing the spots predicts better");
  expect(sentence(0)).toContain("All gene values are therefore smoothed from spots.");
});

it("says 100% only for all and none only for zero", () => {
  const typed = (typedShare: number) =>
    judged({ typedShare }).reasons.find(({ topic }) => topic === "types")!.sentence;
  expect(typed(0.996)).toBe(
    ">99% of the cells have a type, with a mean confidence of 0.90; the others are Unknown.",
  );
  expect(typed(0.994)).toMatch(/^99% of the cells/);
  expect(typed(1)).toBe("All cells have a type, with a mean confidence of 0.90.");
  const reach = judged({ cellsBeyondReach: 0.001 }).reasons[2].sentence;
  expect(reach).toContain("<1% are too far from any spot");
});

it("judges genes of bins by the expected correlation over cells, since single bins have too few UMIs", () => {
  const ofBins = (expectedCorrelation: number | null, reliableGenes = 4) =>
    judged({ reliableGenes, expectedCorrelation }, {}, "bin");
  expect(ofBins(0.3, 120).grade).toBe("good");
  expect(ofBins(0.3).grade).toBe("limited");
  expect(ofBins(0.3, 120).sentence).toContain("expected correlation");
  expect(ofBins(0.15).grade).toBe("limited");
  expect(ofBins(0.05).grade).toBe("poor");
  expect(ofBins(null).grade).toBe("poor");
  expect(judged({ reliableGenes: 4, expectedCorrelation: 0.3 }).grade).toBe("poor");
});
