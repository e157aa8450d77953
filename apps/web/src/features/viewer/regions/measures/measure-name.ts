import {
  isPlaceMeasure,
  isProtein,
  placeOf,
  proteinOf,
  type AnyMeasure,
} from "../../state/measures.ts";
import type { GroupEdits } from "../../state/shown-state.ts";
import { viewerTexts } from "../../texts.ts";

/** What a measure is called, with the user's names of types. */
export function measureName(measure: AnyMeasure, types: GroupEdits): string {
  if (isProtein(measure)) return viewerTexts.protein(proteinOf(measure)!);
  if (!isPlaceMeasure(measure)) return viewerTexts.measures[measure];
  const { from, name } = placeOf(measure);
  return viewerTexts.distances[from]((from === "near" && types[name]?.name) || name);
}
