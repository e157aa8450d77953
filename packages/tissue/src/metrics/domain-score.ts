import { hasResult, readResult } from "@stipple/pipeline/results";
import type { KnownTissue } from "../read-truth.ts";
import { adjustedRandIndex } from "./labels.ts";

/**
 * Adjusted Rand index of detected versus true spatial domains over detected cells; null without detected
 * domains.
 */
export async function scoreDomains(
  tissue: KnownTissue,
  resultsDir: string,
  matched: Int32Array,
): Promise<number | null> {
  if (!hasResult(resultsDir, "cells/domain")) return null;
  const domains = await readResult(resultsDir, "cells/domain");
  const detected = [...matched.keys()].filter((cell) => matched[cell] >= 0);
  return adjustedRandIndex(
    detected.map((cell) => tissue.domain[cell]),
    detected.map((cell) => domains[matched[cell]]),
  );
}
