import { stepNumber, STEPS } from "@stipple/contract";
import { InputError } from "@stipple/pipeline/errors";
import { hasResult, readManifest, readResult } from "@stipple/pipeline/results";
import { MIN_COUNTS } from "@stipple/pipeline/self-test";
import { readTruth } from "../read-truth.ts";
import { conservation, type Conservation } from "./conservation.ts";
import { median } from "@stipple/numerics/quantile";
import { spearman } from "./correlation.ts";
import { detection, matchByCenter, matchByOverlap, type Detection } from "./detection.ts";
import { scoreDomains } from "./domain-score.ts";
import { scoreExpression, type ExpressionScores } from "./expression-score.ts";
import type { PeerPredictions } from "./predictions.ts";
import { geneOrder } from "./truth-order.ts";
import { scoreTyping, type TypingScore } from "./typing-score.ts";

/** A predicted center within this distance matches a true cell, µm. */
const MATCH_UM = 6;

export interface Evaluation {
  truth: {
    seed: number;
    species: string;
    platform: string;
    staining: string;
    morphologyInformative: number;
    nCells: number;
    nGenes: number;
  };
  nPredicted: number;
  /** Nuclei with at least 50% overlap of their outlines (intersection over union). */
  nuclei: Detection;
  /** Cells whose centers lie within 6 µm. */
  centers: Detection;
  expression: ExpressionScores["methods"];
  typing: TypingScore;
  /**
   * Adjusted Rand index of the spatial domains over detected cells; null if the analysis found none (basic).
   */
  domainAri: number | null;
  conservation: Conservation;
  /** Rank correlation over genes between the held-out estimate and the true per-gene correlation. */
  heldout: { rho: number; nGenes: number };
  /**
   * The product's own accuracy estimate, if computed, as median correlations of the genes with enough UMIs: what it
   * expects of the sample (null if not assessed), and what its twin reached. `actual` is the true median.
   */
  selfTest: { expected: number | null; twin: number; actual: number } | null;
  /** Measures that ignore which cell has what, for comparison with reports that use them. */
  blind: ExpressionScores["blind"];
}

/**
 * Evaluates finished results (steps 0–5; domains need step 6) against the truth of a simulated tissue, and with
 * `peers` other methods on the same cells. Throws {@link InputError} if either folder lacks required files.
 * O(cells × genes) per method.
 */
export async function evaluateResults(
  truthDir: string,
  resultsDir: string,
  peers?: PeerPredictions,
): Promise<Evaluation> {
  const tissue = await readTruth(truthDir);
  for (const { number, name } of STEPS) {
    // The results being evaluated come from the steps up to typing.
    if (number > stepNumber("cluster-analysis")) break;
    if (!readManifest(resultsDir, number)) {
      throw new InputError(
        `${resultsDir} contains no finished step ${number} (${name}): run stipple analyze to the end first.`,
      );
    }
  }
  const order = await geneOrder(tissue, resultsDir);
  const xy = await readResult(resultsDir, "cells/xy");
  const matched = matchByCenter(tissue.xy, xy.data, MATCH_UM / tissue.parameters.umPerPx);
  const nuclei = await readResult(resultsDir, "nuclei/polygon");
  const overlapping = matchByOverlap(tissue.nuclei, nuclei, 0.5);
  const { methods, perGene, blind } = await scoreExpression(
    tissue,
    { truthDir, resultsDir, matched, order },
    peers,
  );
  const heldout = await readResult(resultsDir, "genes/heldout_pcc");
  const judged = order.flatMap((to, from) =>
    to >= 0 && Number.isFinite(heldout[from]) ? [[heldout[from], perGene[to]] as const] : [],
  );
  const { seed, species, platform, staining, morphologyInformative } = tissue.parameters;
  return {
    truth: {
      seed,
      species,
      platform,
      staining,
      morphologyInformative,
      nCells: tissue.nCells,
      nGenes: tissue.genes.length,
    },
    nPredicted: xy.nRows,
    nuclei: detection(count(overlapping), xy.nRows, tissue.nCells),
    centers: detection(count(matched), xy.nRows, tissue.nCells),
    expression: methods,
    typing: await scoreTyping(tissue, resultsDir, matched),
    domainAri: await scoreDomains(tissue, resultsDir, matched),
    conservation: conservation(
      await readResult(resultsDir, "spots/counts"),
      await readResult(resultsDir, "cells/counts"),
      await readResult(resultsDir, "genes/unassigned"),
    ),
    heldout: {
      rho: spearman(
        judged.map(([estimate]) => estimate),
        judged.map(([, known]) => known),
      ),
      nGenes: judged.length,
    },
    selfTest: await expectedAccuracy(resultsDir, order, perGene),
    blind,
  };
}

async function expectedAccuracy(
  resultsDir: string,
  order: readonly number[],
  perGene: Float64Array,
): Promise<Evaluation["selfTest"]> {
  if (!hasResult(resultsDir, "sample/self_test")) return null;
  const { expected, scores } = await readResult(resultsDir, "sample/self_test");
  const totals = await readResult(resultsDir, "genes/spot_total");
  const counted = order.flatMap((to, from) =>
    to >= 0 && totals[from] >= MIN_COUNTS ? [perGene[to]] : [],
  );
  return (
    scores && {
      expected: expected?.all ?? null,
      twin: scores.rate.all,
      actual: median(counted),
    }
  );
}

function count(matched: Int32Array): number {
  return matched.reduce((sum, predicted) => sum + (predicted >= 0 ? 1 : 0), 0);
}
