import {
  CELL_EVIDENCE,
  platformById,
  type Verdict,
  type VerdictFigures,
  type VerdictGrade,
  type VerdictReason,
} from "@stipple/contract";
import type { UnsValue } from "../../../exports/anndata/statistics-elements.ts";
import type { TypingReport } from "../../../facts.ts";
import type { AnalysisSettings } from "../../../settings.ts";
import type { Results } from "../read-results.ts";
import { UNSURE_TYPES, verdictReasons, type JudgedSample } from "./reasons.ts";

/**
 * How much the results can be trusted at the single-cell level. Based only on the sample's own data, never on the
 * synthetic twin.
 */
export function verdictOf(results: Results, settings: Pick<AnalysisSettings, "platform">): Verdict {
  const sample: JudgedSample = {
    figures: verdictFigures(results),
    segmentation: results.facts.segmentation,
    registration: results.facts.registration,
    namedBy: namedBy(results.facts.typing),
    spotNoun: platformById(settings.platform).spotNoun,
  };
  return judge(sample);
}

function namedBy({ method, species }: TypingReport): JudgedSample["namedBy"] {
  return method === "markers" && (species === "other" || species === "mixed") ? null : method;
}

/** The grade based on the reasons; docs/verdict.md reports how often it is right. */
export function judge(sample: JudgedSample): Verdict {
  const reasons = verdictReasons(sample);
  const grade = gradeOf(reasons, sample.figures);
  const wholeSpots = sample.segmentation.method === "spot_level";
  const worst =
    (wholeSpots ? reasons.find(({ topic }) => topic === "image") : undefined) ??
    reasons.find((reason) => reason.grade === "poor") ??
    reasons.find(isNotGood);
  return {
    grade,
    sentence: sentenceOf(grade, sample),
    next: grade === "good" ? null : (worst?.next ?? null),
    reasons,
    figures: sample.figures,
  };
}

function gradeOf(
  reasons: readonly VerdictReason[],
  { meanTypeConfidence }: VerdictFigures,
): VerdictGrade {
  const poor = reasons.filter(({ grade }) => grade === "poor").map(({ topic }) => topic);
  // Having many cells beyond reach or of unknown type does not make the rest wrong, but types that are guesses
  // do.
  const guessed = meanTypeConfidence !== null && meanTypeConfidence < UNSURE_TYPES;
  const decisive = poor.filter((topic) => topic !== "cells" && (topic !== "types" || guessed));
  if (decisive.length > 0) return "poor";
  return reasons.some(isNotGood) ? "limited" : "good";
}

function isNotGood({ grade }: VerdictReason): boolean {
  return grade !== "good";
}

function sentenceOf(grade: VerdictGrade, { segmentation, spotNoun }: JudgedSample): string {
  if (segmentation.method === "spot_level") {
    return `These results are for whole ${spotNoun}s, not single cells.`;
  }
  if (grade === "good") {
    return spotNoun === "bin"
      ? "You can read single cells, each gene as far as its expected correlation goes."
      : "You can read single cells for the reliable genes.";
  }
  return grade === "limited"
    ? "Read single cells with caution. Comparing groups of cells is safer."
    : `Don't read single cells. The results add little to the ${spotNoun}s themselves.`;
}

/** Data from which the figures are computed. */
export interface VerdictSource {
  cells: Pick<Results["cells"], "evidence" | "typeOf" | "typeNames" | "confidence">;
  genes: Pick<Results["genes"], "names">;
  facts: Pick<
    Results["facts"],
    "expression" | "quality" | "image" | "registration" | "segmentation"
  >;
}

/** The figures that {@link verdictReasons} grades. O(cells + genes). */
export function verdictFigures({ cells, genes, facts }: VerdictSource): VerdictFigures {
  const { expression, quality, image, registration } = facts;
  const seen = facts.segmentation.imageQuality;
  const nCells = Math.max(1, cells.evidence.length);
  const share = (evidence: (typeof CELL_EVIDENCE)[number]): number => {
    const code = CELL_EVIDENCE.indexOf(evidence);
    return cells.evidence.reduce((n, value) => n + (value === code ? 1 : 0), 0) / nCells;
  };
  const typed = Array.from(cells.typeOf.keys()).filter((cell) => {
    const name = cells.typeNames[cells.typeOf[cell]];
    return name !== undefined && name !== "Unknown";
  });
  const confidence = typed.reduce((sum, cell) => sum + cells.confidence[cell], 0) / typed.length;
  return {
    measuredGenes: genes.names.length,
    judgedGenes: expression.nJudgedGenes,
    reliableGenes: expression.nReliableGenes,
    heldoutCorrelation: expression.medianHeldoutPcc,
    interpolationCorrelation: expression.medianHeldoutPccInterpolation,
    rateCorrelation: expression.medianHeldoutPccRate,
    genesFromModel: expression.genesFrom.model / Math.max(1, genes.names.length),
    heldoutSpots: expression.heldoutSpots,
    expectedCorrelation: expression.medianCellPcc,
    cellsMeasured: share("measured"),
    cellsInferred: share("inferred"),
    cellsBeyondReach: share("beyond_reach"),
    typedShare: typed.length / nCells,
    meanTypeConfidence: typed.length > 0 ? confidence : null,
    spotsOnImage: quality.spotsOnImage,
    spotsOnTissue: registration.spotsOnTissue,
    imageExplains: registration.explained,
    imageExplainsShifted: registration.explainedShifted,
    imageMicronsPerPixel: image.source === "none" ? null : image.micronsPerPixel,
    tissueBlurred: seen && seen.blurred,
    tissueObscured: seen && seen.dark + seen.pen,
  };
}

/** The verdict as nested dictionaries for uns; null values are left out. */
export function verdictForUns({ grade, sentence, next, reasons, figures }: Verdict): UnsValue {
  const dict = (values: Record<string, UnsValue | null>): UnsValue => ({
    dict: Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
    ),
  });
  return dict({
    grade,
    sentence,
    next,
    reasons: dict(
      Object.fromEntries(
        reasons.map(({ topic, ...reason }) => [
          topic,
          dict({ grade: reason.grade, sentence: reason.sentence, next: reason.next }),
        ]),
      ),
    ),
    figures: dict(figures),
  });
}
