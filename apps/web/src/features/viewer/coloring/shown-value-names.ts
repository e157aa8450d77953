import { measureName } from "../regions/measures/measure-name.ts";
import { viewerTexts } from "../texts.ts";
import type { ShownState } from "../state/shown-state.ts";

/** By themselves, as JSON: several states are read at a time where panels of figures are drawn. */
const NAMES = new Map<string, readonly string[]>();

/**
 * Names of the values coloring the cells, in the order of `useColoring().values`; empty for groups. Returns the same
 * array for the same names.
 */
export function shownValueNames({
  colorBy,
  gene,
  secondGene,
  scoreGenes,
  measure,
  edits,
}: ShownState): readonly string[] {
  const names =
    colorBy === "gene"
      ? [gene]
      : colorBy === "two"
        ? [gene, secondGene]
        : colorBy === "score" && scoreGenes.length > 0
          ? [viewerTexts.scoreOf(scoreGenes.length)]
          : colorBy === "measure"
            ? [measureName(measure, edits.type)]
            : [];
  const known = names.filter((name) => name !== null);
  const key = JSON.stringify(known);
  const same = NAMES.get(key) ?? known;
  NAMES.set(key, same);
  return same;
}
