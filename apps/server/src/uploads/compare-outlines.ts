import { readResult } from "@stipple/pipeline/results";
import type { Outlines } from "@stipple/pipeline/samples";
import { detection, matchByOverlap } from "@stipple/tissue/metrics/detection";

/** Outlines that share at least this of their union are of one object. */
const SAME = 0.5;

/** How well outlines agree with the nuclei and cells that a run has found in the image, in one sentence. */
export async function compareOutlines(
  { cells, nuclei }: Outlines,
  results: string,
): Promise<string> {
  const [foundNuclei, foundCells] = [
    await readResult(results, "nuclei/polygon"),
    await readResult(results, "cells/polygon"),
  ];
  const agreement = (given: Outlines["cells"], found: Outlines["cells"]): string => {
    const [nGiven, nFound] = [given, found].map(({ offsets }) => offsets.length - 1) as [
      number,
      number,
    ];
    const matched = matchByOverlap(found, given, SAME).filter((at) => at >= 0).length;
    return detection(matched, nGiven, nFound).f1.toFixed(2);
  };
  const count = (foundNuclei.offsets.length - 1).toLocaleString("en-US");
  return `Agreement with the ${count} nuclei found in the image by the last run (F1 where half of the area is shared): ${agreement(nuclei ?? cells, foundNuclei)} with the nuclei, ${agreement(cells, foundCells)} with the cells around them.`;
}
