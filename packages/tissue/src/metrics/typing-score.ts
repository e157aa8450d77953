import { readResult } from "@stipple/pipeline/results";
import type { KnownTissue } from "../read-truth.ts";
import { calibrationError } from "./calibration.ts";
import { adjustedRandIndex, macroF1, type LabelScore } from "./labels.ts";
import { alignTypeNames } from "./type-names.ts";

export interface TypingScore extends LabelScore {
  /** Macro-F1 over detected cells only. */
  macroF1Detected: number;
  /** Adjusted Rand indices of types and of clusters against the true types, over detected cells. */
  ari: number;
  clusterAri: number;
  unknownFraction: number;
  /** Mean |confidence − fraction right| over ten confidence bins, for detected cells with a named type. */
  calibrationError: number;
  /** Predicted name → true name; null = no true type has this name. */
  names: Record<string, string | null>;
}

/** Scores type names over all true cells; `matched` gives the predicted cell of each true cell, or −1. */
export async function scoreTyping(
  tissue: KnownTissue,
  resultsDir: string,
  matched: Int32Array,
): Promise<TypingScore> {
  const names = await readResult(resultsDir, "types/name");
  const types = await readResult(resultsDir, "cells/cell_type");
  const clusters = await readResult(resultsDir, "cells/cluster");
  const confidence = await readResult(resultsDir, "cells/confidence");
  const trueTypes = [...new Set(tissue.type)];
  const { predicted, classOf } = alignTypeNames(trueTypes, names);
  const known = tissue.type.map((type) => classOf.get(type)!);
  const said = Array.from(matched, (cell) =>
    cell < 0 ? null : (predicted.get(names[types[cell]] ?? "") ?? null),
  );
  const detected = [...matched.keys()].filter((cell) => matched[cell] >= 0);
  const named = detected.filter((cell) => said[cell] !== null);
  return {
    ...macroF1(known, said),
    macroF1Detected: macroF1(
      detected.map((cell) => known[cell]),
      detected.map((cell) => said[cell]!),
    ).macroF1,
    ari: adjustedRandIndex(
      detected.map((cell) => tissue.type[cell]),
      detected.map((cell) => types[matched[cell]]),
    ),
    clusterAri: adjustedRandIndex(
      detected.map((cell) => tissue.type[cell]),
      detected.map((cell) => clusters[matched[cell]]),
    ),
    unknownFraction: detected.length > 0 ? 1 - named.length / detected.length : 0,
    calibrationError: calibrationError(
      named.map((cell) => confidence[matched[cell]]),
      named.map((cell) => said[cell] === known[cell]),
    ),
    names: Object.fromEntries(predicted),
  };
}
