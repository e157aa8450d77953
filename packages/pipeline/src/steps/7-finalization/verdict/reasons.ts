import type {
  VerdictAction,
  VerdictFigures,
  VerdictGrade,
  VerdictReason,
  VerdictTopic,
} from "@stipple/contract";
import type { RegistrationReport, SegmentationReport } from "../../../facts.ts";

/** Minimum shares of the judged genes that must be reliable for "many" and "some". */
export const MANY_RELIABLE = 0.1;
export const SOME_RELIABLE = 0.03;
/**
 * Minimum expected correlation over single cells (median gene) that counts as high (for bins), and as still
 * useful.
 */
export const HIGH_EXPECTED = 0.2;
export const SOME_EXPECTED = 0.1;
/**
 * Minimum share of genes that the model must predict better than surrounding spots, and the lead of the rates
 * that counts as good.
 */
export const MAX_FROM_MODEL = 0.5;
export const GOOD_LEAD = 0.02;
/**
 * On HD slides, rates add little to the bins if they lead interpolation between bins neither by this difference nor by
 * this factor. Both are correlations with the other half of the bins' counts.
 */
export const MIN_LEAD_OVER_BINS = 0.055;
export const MIN_TIMES_BINS = 1.6;
/** Maximum shares of cells beyond the reach of all spots that count as few, and as not too many. */
export const FEW_BEYOND = 0.1;
export const MANY_BEYOND = 0.3;
/** Shares of typed cells, and mean confidence of their types: a good result has three of four names right. */
export const MAX_TYPED = 0.7;
export const SOME_TYPED = 0.4;
export const SURE_TYPES = 0.75;
export const UNSURE_TYPES = 0.55;
/** Shares of the spots that are on the image, and on tissue. */
export const NEARLY_ALL_ON_IMAGE = 0.98;
export const MAX_ON_TISSUE = 0.8;
export const HALF_ON_TISSUE = 0.5;
/**
 * Share of expression that an image must explain to count as related to it; how much a shift must explain, and
 * how much more than no shift, to count against it.
 */
export const IMAGE_EXPLAINS = 0.05;
export const SHIFT_EXPLAINS = 0.1;
export const SHIFT_EXPLAINS_MORE = 1.15;
/** Maximum µm per pixel at which nuclei are seen well, and at all. */
export const FINE_IMAGE_UM = 0.8;
export const COARSE_IMAGE_UM = 1.2;
/** Shares of the tissue that may be out of focus, too dark, or under ink: little, and not too much. */
export const LITTLE_SPOILED = 0.1;
export const MUCH_SPOILED = 0.5;

export interface JudgedSample {
  figures: VerdictFigures;
  segmentation: Pick<SegmentationReport, "method" | "fallbackReason">;
  /** Evidence against the image. */
  registration: Pick<RegistrationReport, "mismatch" | "doubt">;
  /** Name of one capture area: "spot" or "bin". */
  spotNoun: string;
  /** What names the types; null if the species has no markers, so that they need a reference. */
  namedBy: "markers" | "reference" | null;
}

/** One reason per topic, in the contract's order. A spot-level sample has no cells to assess. */
export function verdictReasons(sample: JudgedSample): VerdictReason[] {
  const spotLevel = sample.segmentation.method === "spot_level";
  return [
    genes(sample),
    heldout(sample),
    ...(spotLevel ? [] : [cells(sample)]),
    types(sample),
    ...(sample.figures.imageMicronsPerPixel === null ? [] : [registration(sample)]),
    image(sample),
  ];
}

function genes({ figures, segmentation, spotNoun }: JudgedSample): VerdictReason {
  const { reliableGenes, judgedGenes, heldoutSpots, expectedCorrelation } = figures;
  if (heldoutSpots === 0 || judgedGenes === 0) {
    return reason(
      "genes",
      "poor",
      `We couldn't measure how reliable any gene is, because there are too few ${spotNoun}s or UMIs to hold some out.`,
      ["new", `Use a section with more ${spotNoun}s under tissue, or sequence it deeper.`],
    );
  }
  if (segmentation.method === "spot_level") return genesOfWholeSpots(figures, spotNoun);
  if (spotNoun === "bin" && expectedCorrelation !== null) return genesOfBins(figures);
  const share = reliableGenes / judgedGenes;
  const found = genesThatPassed(figures, spotNoun);
  if (expectedCorrelation !== null && expectedCorrelation < SOME_EXPECTED) {
    return reason(
      "genes",
      "poor",
      `${found} In single cells, we expect gene values to correlate with counts at only ${expectedCorrelation.toFixed(2)} (median gene).`,
      readSpots(spotNoun),
    );
  }
  if (share >= MANY_RELIABLE) return reason("genes", "good", found, null);
  if (share < SOME_RELIABLE) return reason("genes", "poor", found, readSpots(spotNoun));
  return reason("genes", "limited", found, [
    "view",
    `Read only reliable genes cell by cell; for the others, use the ${spotNoun} data.`,
  ]);
}

function readSpots(spotNoun: string): Remedy {
  return ["view", `Don't read gene values cell by cell; use the ${spotNoun} data.`];
}

function genesThatPassed(
  { reliableGenes, judgedGenes }: Pick<VerdictFigures, "reliableGenes" | "judgedGenes">,
  spotNoun: string,
): string {
  const of = `of ${count(judgedGenes)} genes that vary between ${spotNoun}s`;
  return reliableGenes === 0
    ? `None ${of} passed the reliability check.`
    : `${count(reliableGenes)} ${of} (${percent(reliableGenes / judgedGenes)}) passed the reliability check.`;
}

/** The rows are spots or bins, whose own counts are more informative about a gene than its rate. */
function genesOfWholeSpots(figures: VerdictFigures, spotNoun: string): VerdictReason {
  const share = figures.reliableGenes / figures.judgedGenes;
  return reason(
    "genes",
    share >= MANY_RELIABLE ? "good" : share >= SOME_RELIABLE ? "limited" : "poor",
    genesThatPassed(figures, spotNoun),
    share >= MANY_RELIABLE ? null : ["view", "Use the observed counts of genes that did not pass."],
  );
}

/**
 * Held-out bins have too few UMIs for most genes to pass the check, although a cell's own bins are informative
 * about the gene. A good result nevertheless has genes that passed.
 */
function genesOfBins({
  reliableGenes,
  judgedGenes,
  expectedCorrelation,
}: VerdictFigures): VerdictReason {
  const expected = expectedCorrelation!;
  const found = `In single cells, we expect gene values to correlate with counts at ${expected.toFixed(2)} (expected correlation, median of ${count(judgedGenes)} genes that vary between bins). ${count(reliableGenes)} of them passed the reliability check in held-out bins, most of which have too few UMIs for it.`;
  if (expected >= HIGH_EXPECTED && reliableGenes >= MANY_RELIABLE * judgedGenes) {
    return reason("genes", "good", found, null);
  }
  if (expected < SOME_EXPECTED) return reason("genes", "poor", found, readSpots("bin"));
  return reason("genes", "limited", found, [
    "view",
    "Read only genes with a high expected correlation cell by cell; for the others, use the bin data.",
  ]);
}

function heldout({ figures, segmentation, spotNoun }: JudgedSample): VerdictReason {
  const {
    heldoutCorrelation: model,
    interpolationCorrelation: smooth,
    rateCorrelation: rate,
  } = figures;
  if (model === null || smooth === null) {
    return reason("heldout", "poor", `We couldn't test the model on held-out ${spotNoun}s.`, [
      "new",
      `Use a section with more ${spotNoun}s under tissue.`,
    ]);
  }
  // The source of gene values is chosen by their own correlation; that of bins is measured on halves of the counts.
  const predicted =
    spotNoun === "bin" || rate === null
      ? `the model's predictions correlate with the counts at ${model.toFixed(2)} (median gene)`
      : `gene values correlate with the counts at ${rate.toFixed(2)} (median gene), and at ${model.toFixed(2)} if the model ignores the surrounding ${spotNoun}s`;
  const found = `In held-out ${spotNoun}s, ${predicted}; interpolation between ${spotNoun}s reaches ${smooth.toFixed(2)}. ${sourcesOf(figures, spotNoun)}`;
  if (spotsPredictBetter(figures, spotNoun)) {
    return reason("heldout", "poor", found, [
      "upload",
      `Read the results as smoothed ${spotNoun}s, and check that the image is sharp and shows this section.`,
    ]);
  }
  if (spotNoun === "bin" && segmentation.method !== "spot_level" && rate !== null) {
    if (rate < Math.min(smooth + MIN_LEAD_OVER_BINS, smooth * MIN_TIMES_BINS)) {
      return reason(
        "heldout",
        "poor",
        `Gene values computed from half of the counts correlate with the other half at ${rate.toFixed(2)} (median gene); interpolation between bins reaches ${smooth.toFixed(2)}. The values add little to the bins.`,
        ["view", "For genes, use the bin data. Use cells for their positions, shapes, and types."],
      );
    }
  }
  if ((rate ?? model) >= smooth + GOOD_LEAD) return reason("heldout", "good", found, null);
  return reason("heldout", "limited", found, [
    "view",
    "Compare groups of many cells rather than single cells.",
  ]);
}

/** Whether the gene values are those of spots, or should be: interpolation predicts held-out spots better. */
function spotsPredictBetter(
  { genesFromModel, rateCorrelation, interpolationCorrelation }: VerdictFigures,
  spotNoun: string,
): boolean {
  if (genesFromModel < MAX_FROM_MODEL) return true;
  return spotNoun === "spot" && (rateCorrelation ?? 0) < (interpolationCorrelation ?? 0);
}

/** Describes the source of the rates. */
function sourcesOf({ genesFromModel }: VerdictFigures, spotNoun: string): string {
  if (genesFromModel === 1) return "All gene values come from the model.";
  return genesFromModel === 0
    ? `All gene values are therefore smoothed from ${spotNoun}s.`
    : `For ${percent(1 - genesFromModel)} of the genes, smoothing the ${spotNoun}s predicts better, so we use that.`;
}

function cells({ figures, spotNoun }: JudgedSample): VerdictReason {
  const { cellsMeasured, cellsInferred, cellsBeyondReach } = figures;
  const found = `${percent(cellsMeasured)} of the cells are touched by a ${spotNoun}, ${percent(cellsInferred)} are inferred from ${spotNoun}s nearby, and ${percent(cellsBeyondReach)} are too far from any ${spotNoun}.`;
  if (cellsBeyondReach <= FEW_BEYOND) return reason("cells", "good", found, null);
  return reason("cells", cellsBeyondReach <= MANY_BEYOND ? "limited" : "poor", found, [
    "view",
    `Leave out cells that are too far away (evidence "beyond_reach"), or crop the image to the ${spotNoun}s.`,
  ]);
}

const TYPE_REMEDIES = {
  markers:
    "Check that species and tissue are set correctly, add a reference of labeled single cells, or work with the clusters, which need no names.",
  reference:
    "Check that the reference has the cell types of this tissue, use another one or none, or work with the clusters, which need no names.",
  nothing:
    "Add a reference of labeled single cells of this species, because there are markers only for human and mouse.",
} as const;

function types({ figures, segmentation, spotNoun, namedBy }: JudgedSample): VerdictReason {
  const { typedShare, meanTypeConfidence } = figures;
  const sure = meanTypeConfidence ?? 0;
  const rows = segmentation.method === "spot_level" ? `${spotNoun}s` : "cells";
  const found =
    meanTypeConfidence === null
      ? `We couldn't assign a type to any of the ${rows}.`
      : `${typedShare === 1 ? `All ${rows} have` : `${percent(typedShare)} of the ${rows} have`} a type, with a mean confidence of ${sure.toFixed(2)}${typedShare === 1 ? "." : "; the others are Unknown."}`;
  if (typedShare >= MAX_TYPED && sure >= SURE_TYPES) return reason("types", "good", found, null);
  return reason(
    "types",
    typedShare >= SOME_TYPED && sure >= UNSURE_TYPES ? "limited" : "poor",
    found,
    ["change", TYPE_REMEDIES[namedBy ?? "nothing"]],
  );
}

const CHECK_IMAGE: Remedy = [
  "upload",
  "Check that the image shows this section and is the one you ran Space Ranger with.",
];

function registration({
  figures,
  spotNoun,
  registration: { mismatch, doubt },
}: JudgedSample): VerdictReason {
  const { spotsOnImage, spotsOnTissue } = figures;
  if (mismatch !== null) {
    return reason(
      "registration",
      "poor",
      `The run continued although the image check failed: ${mismatch}`,
      ["upload", "Use the image you ran Space Ranger with."],
    );
  }
  const onTissue = spotsOnTissue ?? 1;
  const found =
    spotsOnTissue === null
      ? `${percent(spotsOnImage)} of the ${spotNoun}s lie on the image.`
      : `${percent(spotsOnImage)} of the ${spotNoun}s lie on the image and ${percent(onTissue)} on visible tissue.`;
  const { imageExplains, imageExplainsShifted } = figures;
  if (imageExplains !== null && imageExplainsShifted !== null) {
    if (
      imageExplainsShifted >= SHIFT_EXPLAINS &&
      imageExplainsShifted > SHIFT_EXPLAINS_MORE * imageExplains
    ) {
      return reason(
        "registration",
        "poor",
        `${found} The image explains ${percent(imageExplains)} of the ${spotNoun}s' expression, but ${percent(imageExplainsShifted)} when we shift all of them, so they may be out of place.`,
        [
          "upload",
          `Check that the ${spotNoun}s line up with the image. If they don't, align them by landmarks in File Upload, or run Space Ranger again with a manual alignment.`,
        ],
      );
    }
    // With few spots, the share explained by an image is obscured by chance; held-out spots are a more sensitive test.
    if (imageExplains < IMAGE_EXPLAINS && spotsPredictBetter(figures, spotNoun)) {
      return reason(
        "registration",
        "limited",
        `${found} The image explains only ${percent(imageExplains)} of the ${spotNoun}s' expression.`,
        CHECK_IMAGE,
      );
    }
  }
  if (doubt !== null && onTissue >= HALF_ON_TISSUE) {
    return reason("registration", "limited", `${found} ${doubt}`, CHECK_IMAGE);
  }
  if (spotsOnImage >= NEARLY_ALL_ON_IMAGE && onTissue >= MAX_ON_TISSUE) {
    return reason("registration", "good", found, null);
  }
  return reason(
    "registration",
    onTissue >= HALF_ON_TISSUE ? "limited" : "poor",
    found,
    CHECK_IMAGE,
  );
}

function image({ figures, segmentation, spotNoun }: JudgedSample): VerdictReason {
  const um = figures.imageMicronsPerPixel;
  if (segmentation.method === "spot_level" || um === null) {
    return reason(
      "image",
      "poor",
      segmentation.fallbackReason ??
        `There is no image, so results are given for whole ${spotNoun}s.`,
      ["upload", "Upload the full-resolution microscope image to get single cells."],
    );
  }
  const { tissueBlurred: blurred, tissueObscured: obscured } = figures;
  const size = `The image has ${um.toFixed(2)} µm per pixel`;
  const found =
    blurred === null || obscured === null
      ? `${size}.`
      : `${size}; ${percent(blurred)} of the tissue is out of focus, and ${percent(obscured)} is too dark or under ink.`;
  const spoiled = (blurred ?? 0) + (obscured ?? 0);
  if (spoiled > LITTLE_SPOILED) {
    return reason("image", spoiled <= MUCH_SPOILED ? "limited" : "poor", found, [
      "upload",
      `Use a sharp scan of this section, or leave out cells whose image_quality is not "good".`,
    ]);
  }
  if (um <= FINE_IMAGE_UM) return reason("image", "good", found, null);
  return reason(
    "image",
    um <= COARSE_IMAGE_UM ? "limited" : "poor",
    `${found} Nuclei are ${um <= COARSE_IMAGE_UM ? "only just" : "hardly"} visible.`,
    ["upload", "Upload the full-resolution microscope image."],
  );
}

/** What to do, and where. */
type Remedy = [action: VerdictAction, sentence: string];

function reason(
  topic: VerdictTopic,
  grade: VerdictGrade,
  sentence: string,
  remedy: Remedy | null,
): VerdictReason {
  const [action, next] = remedy ?? [null, null];
  return { topic, grade, sentence, next, action };
}

function count(value: number): string {
  return value.toLocaleString("en");
}

function percent(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  // Never "100%" for less than all.
  return share < 1 && share >= 0.995 ? ">99%" : `${Math.round(100 * share)}%`;
}
