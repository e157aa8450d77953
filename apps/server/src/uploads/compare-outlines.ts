import { readResult } from "@stipple/pipeline/results";
import { nucleiBeforeEdits, type Outlines } from "@stipple/pipeline/samples";
import { detection, matchByOverlap } from "@stipple/tissue/metrics/detection";

/** Outlines that share at least this of their union are of one object. */
const SAME = 0.5;

type Rings = Outlines["cells"];

/**
 * How well outlines in a file agree with the nuclei and cells of the last run, in one sentence. Null if that run used
 * outlines of another program, unless the file has nuclei that were edited in the view.
 */
export async function compareOutlines(
  { cells, nuclei }: Outlines,
  path: string,
  results: string,
): Promise<string | null> {
  const before = /\.geojson$/i.test(path) ? await nucleiBeforeEdits(path) : null;
  const foundNuclei = await readResult(results, "nuclei/polygon");
  const count = countOf(foundNuclei).toLocaleString("en-US");
  if (before) {
    return `Agreement with the ${count} nuclei of the last run (F1 where half of the area is shared): ${agreement(before, foundNuclei, 3)} before the edits, ${agreement(cells, foundNuclei, 3)} after them.`;
  }
  if ((await readResult(results, "sample/segmentation")).method !== "network") return null;
  const foundCells = await readResult(results, "cells/polygon");
  return `Agreement with the ${count} nuclei found in the image by the last run (F1 where half of the area is shared): ${agreement(nuclei ?? cells, foundNuclei)} with the nuclei, ${agreement(cells, foundCells)} with the cells around them.`;
}

function countOf({ offsets }: Rings): number {
  return offsets.length - 1;
}

function agreement(given: Rings, found: Rings, digits = 2): string {
  const matched = matchByOverlap(found, given, SAME).filter((at) => at >= 0).length;
  return detection(matched, countOf(given), countOf(found)).f1.toFixed(digits);
}
