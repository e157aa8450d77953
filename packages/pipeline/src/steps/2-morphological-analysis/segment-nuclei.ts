import { chooseNuclei, type Selection } from "./choose-nuclei.ts";
import { findCandidates } from "./find-hills.ts";
import type { SignalRange } from "./local-contrast.ts";
import type { NucleusOptions } from "./nucleus-options.ts";
import { mergeSelections } from "./merge-selections.ts";
import { nucleusScores } from "./nucleus-score.ts";
import { tidyLabels } from "./tidy-labels.ts";

export interface Nuclei {
  /** Nucleus of each pixel, 1 … count; 0 = none. Every nucleus is 4-connected and has no holes. */
  labels: Int32Array;
  count: number;
  /** Cell of each pixel, by its nucleus's label, if cells are given; otherwise they are grown around the nuclei. */
  cells?: Int32Array;
}

/**
 * Finds nuclei in the nuclear signal of a tile (width × height px of `umPerPx`, higher = more nuclear stain).
 * O(pixels); memory of about ten numbers per pixel.
 */
export function segmentNuclei(
  signal: Float32Array,
  width: number,
  height: number,
  range: SignalRange,
  options: NucleusOptions,
  umPerPx: number,
): Nuclei {
  const { forests } = findCandidates(signal, width, height, range, options, umPerPx);
  const pxUm2 = umPerPx * umPerPx;
  let best: Selection | null = null;
  for (const { tree, shapes } of forests) {
    const scores = nucleusScores(shapes.features);
    for (let k = 0; k < tree.count; k++) {
      const areaUm2 = shapes.area[k] * pxUm2;
      if (areaUm2 < options.minAreaUm2 || areaUm2 > options.maxAreaUm2) scores[k] = -1;
    }
    const selection = chooseNuclei(tree, scores, options.minScore);
    best = best ? mergeSelections(best, selection) : selection;
  }
  const { labels, gain } = best!;
  const kept = tidyLabels(labels, width, height, gain.length - 1, options.minAreaUm2 / pxUm2);
  return { labels, count: kept.length };
}
